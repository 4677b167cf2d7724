import {
  type ModelServing,
  modelServingApiVersion,
  modelServingResource,
  type PodTemplate,
  type Role,
} from '../api/index.ts';
import { nameOf, type OwnerReference, uidOf } from '../objects/index.ts';
import { type LeaderWorkerSet, leaderWorkerSetApiVersion, leaderWorkerSetKind } from './leader-worker-set.ts';

/** The plugin that gives Pods the labels that clients of LeaderWorkerSet select by. */
export const labelsPlugin = 'lws-standard-labels';

/** kthena's name of the only Role. */
const roleName = 'default';

/** The ModelServing of a LeaderWorkerSet, to be created; what it does not say is left to the defaults of the CRD. */
export const desiredModelServing = (lws: LeaderWorkerSet): ModelServing => ({
  apiVersion: modelServingApiVersion,
  kind: modelServingResource.kind,
  metadata: { name: nameOf(lws), namespace: lws.metadata.namespace, ownerReferences: [ownerReferenceTo(lws)] },
  spec: {
    replicas: lws.spec.replicas ?? 1,
    plugins: [{ name: labelsPlugin, type: 'BuiltIn' }],
    template: { roles: [desiredRole(lws)] },
  },
});

/** One Role, one instance a group: the leader is its entry, the workers are its workers. */
export const desiredRole = ({ spec }: LeaderWorkerSet): Role => {
  const { leaderTemplate, workerTemplate, size = 1 } = spec.leaderWorkerTemplate;
  return {
    name: roleName,
    replicas: 1,
    entryTemplate: reduced(leaderTemplate ?? workerTemplate),
    workerReplicas: Math.max(size - 1, 0),
    workerTemplate: reduced(workerTemplate),
  };
};

/** Of a template's metadata a ModelServing knows labels and annotations. */
const reduced = ({ metadata, spec }: PodTemplate): PodTemplate => ({
  metadata: {
    ...(metadata?.labels ? { labels: metadata.labels } : {}),
    ...(metadata?.annotations ? { annotations: metadata.annotations } : {}),
  },
  spec,
});

const ownerReferenceTo = (lws: LeaderWorkerSet): OwnerReference => ({
  apiVersion: leaderWorkerSetApiVersion,
  kind: leaderWorkerSetKind,
  name: nameOf(lws),
  uid: uidOf(lws),
  controller: true,
  blockOwnerDeletion: true,
});
