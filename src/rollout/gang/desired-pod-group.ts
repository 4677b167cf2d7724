import {
  groupName,
  groupNameLabel,
  type ModelServing,
  nameLabel,
  ownerReferenceTo,
  podGroupNameAnnotation,
  queueNameAnnotation,
  requestedQueueAnnotation,
  roleIdLabel,
  roleLabel,
} from '../../api/index.ts';
import { nameOf } from '../../objects/index.ts';
import { type PodGroup, podGroupApiVersion, type SubGroup } from './pod-group.ts';
import { sumAmounts, writeAmounts } from './pod-requests.ts';
import type { RoleDemand } from './role-demands.ts';

export interface DesiredInput {
  readonly modelServing: ModelServing;
  readonly group: number;
  readonly demands: readonly RoleDemand[];
}

/**
 * The PodGroup of a ServingGroup with all that may be asked of it, whatever the installed CRD knows. Roles, sizes and
 * requests come in as demands, from the group's own revision; gang policy, topology and queue are no revision data, so
 * they are what the ModelServing says now.
 */
export const desiredPodGroup = ({ modelServing, group, demands }: DesiredInput): PodGroup => {
  const { annotations } = modelServing.metadata;
  const name = groupName(nameOf(modelServing), group);
  const queue = annotations?.[queueNameAnnotation] || undefined;
  const minResources = writeAmounts(sumAmounts(demands.map(({ requests }) => requests)));
  const topology = modelServing.spec.template.networkTopology?.groupPolicy ?? undefined;
  // Not blocking: whoever deletes the owner in the foreground need not wait for a PodGroup.
  const { blockOwnerDeletion: _, ...owner } = ownerReferenceTo(modelServing);
  return {
    apiVersion: podGroupApiVersion,
    kind: 'PodGroup',
    metadata: {
      name,
      namespace: modelServing.metadata.namespace,
      labels: { [nameLabel]: nameOf(modelServing), [groupNameLabel]: name },
      annotations: {
        [podGroupNameAnnotation]: name,
        ...(queue === undefined ? {} : { [requestedQueueAnnotation]: queue }),
      },
      ownerReferences: [owner],
    },
    spec: {
      minMember: demands.reduce((pods, { minPods }) => pods + minPods, 0),
      ...(minResources === undefined ? {} : { minResources }),
      ...(queue === undefined ? {} : { queue }),
      ...(topology === undefined ? {} : { networkTopology: topology }),
      subGroupPolicy: demands.map((demand) => subGroupOf(modelServing, demand)),
    },
  };
};

/** Each instance of the Role is a gang of its own: all its Pods or none. */
const subGroupOf = (modelServing: ModelServing, { role, size, minInstances }: RoleDemand): SubGroup => {
  const topology = modelServing.spec.template.networkTopology?.rolePolicy ?? undefined;
  return {
    name: role,
    labelSelector: { matchLabels: { [nameLabel]: nameOf(modelServing), [roleLabel]: role } },
    matchLabelKeys: [roleIdLabel],
    subGroupSize: size,
    minSubGroups: minInstances,
    ...(topology === undefined ? {} : { networkTopology: topology }),
  };
};
