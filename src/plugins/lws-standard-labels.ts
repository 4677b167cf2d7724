import type { ModelServing } from '../api/index.ts';
import type { Configured, Plugin, PodChange } from './plugin.ts';
import { sha1 } from './sha1.ts';

const prefix = 'leaderworkerset.sigs.k8s.io';

/**
 * The labels that clients of LeaderWorkerSet select Pods by, on Pods of a ModelServing that a LeaderWorkerSet owns; on
 * those of any other it does nothing. It has no config.
 */
export const lwsStandardLabels: Plugin = {
  name: 'lws-standard-labels',
  configure: (): Configured => ({ state: 'ready', change: addLabels }),
};

const addLabels: PodChange = (pod, { modelServing, group, index }) => {
  const name = leaderWorkerSetOf(modelServing);
  if (name === undefined) return pod;
  const labels = {
    ...pod.metadata.labels,
    [`${prefix}/name`]: name,
    [`${prefix}/group-index`]: `${group}`,
    [`${prefix}/worker-index`]: `${index}`,
    [`${prefix}/group-key`]: sha1(new TextEncoder().encode(`${name}-${group}`)),
  };
  return { ...pod, metadata: { ...pod.metadata, labels } };
};

const leaderWorkerSetOf = ({ metadata }: ModelServing): string | undefined =>
  metadata.ownerReferences?.find(({ kind }) => kind === 'LeaderWorkerSet')?.name;
