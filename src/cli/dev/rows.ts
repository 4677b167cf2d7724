import { decodeUnits, groupNameLabel, type ModelServing, revisionLabel } from '../../api/index.ts';
import { isTerminating, nameOf, type Pod, uidOf } from '../../objects/index.ts';
import { readMarker } from '../../rollout/index.ts';

/** One ServingGroup, as a row of the table. */
export interface GroupRow {
  readonly group: string;
  readonly revision: string;
  readonly phase: string;
  readonly ready: string;
  readonly restarts: string;
  readonly image: string;
}

/** The ServingGroups of a ModelServing, by ordinal. */
export const groupRows = (modelServing: ModelServing, pods: readonly Pod[]): readonly GroupRow[] => {
  const groups = new Map<string, Pod[]>();
  for (const pod of pods) {
    const group = pod.metadata.labels?.[groupNameLabel] ?? '?';
    groups.set(group, [...(groups.get(group) ?? []), pod]);
  }
  return [...groups]
    .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([group, members]) => rowOf(modelServing, group, members));
};

const rowOf = (modelServing: ModelServing, group: string, pods: readonly Pod[]): GroupRow => {
  const distinct = (values: readonly string[]): string => [...new Set(values)].sort().join(', ');
  const restarts = pods.flatMap((pod) => pod.status?.containerStatuses ?? []).map((status) => status.restartCount);
  return {
    group,
    revision: distinct(pods.map((pod) => pod.metadata.labels?.[revisionLabel] ?? '-')),
    phase: phaseOf(modelServing, pods),
    ready: `${pods.filter(isReady).length}/${pods.length}`,
    restarts: String(restarts.reduce((sum, count) => sum + count, 0)),
    image: distinct(pods.flatMap((pod) => pod.spec.containers.map(({ image }) => shortImage(image ?? '-')))),
  };
};

export const isReady = (pod: Pod): boolean =>
  !isTerminating(pod) &&
  pod.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true;

/** The worst that can be said of a group, in one or two words. */
const phaseOf = (modelServing: ModelServing, pods: readonly Pod[]): string => {
  if (pods.some(isTerminating)) return 'terminating';
  const waiting = pods
    .flatMap((pod) => pod.status?.containerStatuses ?? [])
    .map((status) => status.state?.waiting?.reason)
    .find((reason) => reason !== undefined && reason !== 'ContainerCreating' && reason !== 'PodInitializing');
  if (waiting !== undefined) return waiting;
  if (pods.some((pod) => isInUpdate(modelServing, pod))) return 'updating';
  if (pods.every(isReady)) return 'ready';
  return pods.some((pod) => pod.spec.nodeName === undefined) ? 'pending' : 'starting';
};

const isInUpdate = (modelServing: ModelServing, pod: Pod): boolean => {
  const reading = readMarker(pod, uidOf(modelServing));
  if (reading.state !== 'valid') return false;
  const record = decodeUnits(modelServing.status?.units).find(({ group, role, instance }) =>
    nameOf(pod).startsWith(`${nameOf(modelServing)}-${group}-${role}-${instance}-`),
  );
  return record !== undefined && reading.marker.attempt > record.completed;
};

/** `lmsysorg/sglang:v0.5.5` is `sglang:v0.5.5`: the registry and the path say nothing about a rollout. */
const shortImage = (image: string): string => image.slice(image.lastIndexOf('/') + 1);
