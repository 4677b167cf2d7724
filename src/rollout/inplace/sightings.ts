import type { Pod } from '../../objects/index.ts';
import type { FirstSeen, PodSighting } from '../types.ts';

/** How many generations are remembered per container. Forgetting the oldest only costs time: it proves less. */
const remembered = 16;

/**
 * Folds one status of a Pod into what this process has seen of it. Call it for every event of the watch, in order, and
 * for answers of own writes: decisions may skip events, sightings must not.
 *
 * @param previous  what was seen of the same Pod UID before; undefined at first sight
 * @param now       monotonic milliseconds
 */
export const seePod = (previous: PodSighting | undefined, pod: Pod, now: number): PodSighting => {
  const observedGeneration = pod.status?.observedGeneration ?? 0;
  const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  const ids = new Map(statuses.map((status) => [status.name, status.containerID ?? '']));
  const first: Record<string, readonly FirstSeen[]> = { ...previous?.first };
  for (const { name } of pod.spec.containers) {
    const seen = first[name] ?? [];
    if (seen.some((entry) => entry.observedGeneration === observedGeneration)) continue;
    first[name] = [...seen, { observedGeneration, containerID: ids.get(name) ?? '' }].slice(-remembered);
  }
  const ready = pod.status?.conditions?.find((condition) => condition.type === 'Ready')?.status ?? 'Unknown';
  const parts = [...ids].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, id]) => `${name}=${id}`);
  const combination = [...parts, `ready=${ready}`, `generation=${observedGeneration}`].join(' ');
  return { first, combination, since: previous?.combination === combination ? previous.since : now };
};

/**
 * Whether a container started after the kubelet began to act on a generation: some status at that generation or later
 * showed another container (or none), and now `containerID` runs. Syncs of one Pod are serial, and the status with
 * observedGeneration = G is written at the start of the sync that acts on G; so what starts after it starts from G.
 */
export const startedAfter = (
  sighting: PodSighting | undefined,
  container: string,
  running: { readonly containerID: string; readonly generation: number },
): boolean => {
  const earliest = sighting?.first[container]?.find((entry) => entry.observedGeneration >= running.generation);
  return earliest !== undefined && earliest.containerID !== running.containerID;
};
