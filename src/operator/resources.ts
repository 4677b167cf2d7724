import { type ModelServing, modelServingResource } from '../api/index.ts';
import { type Resource, resources } from '../kube/index.ts';
import { type LeaderWorkerSet, leaderWorkerSetKind } from '../lws/index.ts';
import type { KubeObject } from '../objects/index.ts';
import type { ChildResource, PodGroup } from '../rollout/index.ts';

export const modelServings: Resource<ModelServing> = modelServingResource;

/** Volcano's; absent from clusters without Volcano. */
export const podGroups: Resource<PodGroup> = {
  group: 'scheduling.volcano.sh',
  version: 'v1beta1',
  plural: 'podgroups',
  kind: 'PodGroup',
  namespaced: true,
};

/** Absent from clusters that do not know them. */
export const leaderWorkerSets: Resource<LeaderWorkerSet> = {
  group: 'leaderworkerset.x-k8s.io',
  version: 'v1',
  plural: 'leaderworkersets',
  kind: leaderWorkerSetKind,
  namespaced: true,
};

/** The resource behind the name that effects use. */
export const resourceOf = (name: ChildResource | 'modelservings'): Resource<KubeObject> => {
  switch (name) {
    case 'modelservings':
      return modelServings;
    case 'pods':
    case 'services':
    case 'controllerrevisions':
      return resources[name];
    case 'podgroups':
      return podGroups;
  }
};
