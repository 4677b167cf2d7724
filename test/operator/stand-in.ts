import {
  type ModelServing,
  type ModelServingStatus,
  modelServingApiVersion,
  modelServingResource,
  nameLabel,
  revisionLabel,
} from '../../src/api/index.ts';
import { controllerOf, isTerminating, jsonEqual, nameOf, type Pod, refOf, uidOf } from '../../src/objects/index.ts';
import type { DecideInput, Decision, Effect } from '../../src/rollout/index.ts';
import type { Logic } from '../../src/simulation/index.ts';

/**
 * A decision so small that every test of the operator around it can be read at a glance: one Pod per group, named
 * `<name>-<ordinal>-r-0-0`, deleted when the group is not wanted any more. What a test is about, it adds.
 */
export const onePodPerGroup = (input: DecideInput): Decision => {
  const { modelServing, children } = input;
  const wanted = podNames(modelServing);
  const ours = children.pods.filter((pod) => controllerOf(pod)?.uid === uidOf(modelServing));
  const taken = new Set(children.pods.map(nameOf));
  const creates = wanted.filter((name) => !taken.has(name)).map((name) => createPod(modelServing, name));
  const deletes = ours.filter((pod) => !wanted.includes(nameOf(pod)) && !isTerminating(pod)).map(deletePod);
  const status: ModelServingStatus = {
    ...modelServing.status,
    observedGeneration: modelServing.metadata.generation,
    replicas: ours.length,
    availableReplicas: ours.filter(isReady).length,
  };
  return decisionOf({
    effects: modelServing.metadata.deletionTimestamp === undefined ? [creates, deletes] : [],
    status: jsonEqual(status, modelServing.status) ? undefined : status,
  });
};

export const decisionOf = (parts: Partial<Decision>): Decision => ({
  effects: [],
  status: undefined,
  milestone: false,
  events: [],
  waits: [],
  wakeAfterMs: undefined,
  phases: new Map(),
  ...parts,
});

export const podNames = (modelServing: ModelServing): readonly string[] =>
  Array.from({ length: modelServing.spec.replicas ?? 1 }, (_, group) => `${nameOf(modelServing)}-${group}-r-0-0`);

export const createPod = (owner: ModelServing, name: string): Effect => {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: owner.metadata.namespace,
      labels: { [nameLabel]: nameOf(owner), [revisionLabel]: 'rev1' },
      ownerReferences: [
        {
          apiVersion: modelServingApiVersion,
          kind: modelServingResource.kind,
          name: nameOf(owner),
          uid: uidOf(owner),
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: { containers: [{ name: 'c', image: 'engine:v1' }], terminationGracePeriodSeconds: 5 },
  };
  return { kind: 'create', key: `create/${name}`, resource: 'pods', object: pod, why: 'a group needs its Pod' };
};

export const deletePod = (pod: Pod): Effect => ({
  kind: 'delete',
  key: `delete/${uidOf(pod)}`,
  resource: 'pods',
  ref: refOf(pod),
  uid: uidOf(pod),
  why: 'its group is not wanted',
});

export const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;

/** The logic around a decision, with sightings nobody looks at. */
export const logicOf = (decide: Logic['decide']): Logic => ({
  decide,
  seePod: (previous, _pod, now) => previous ?? { first: {}, combination: '', since: now },
});
