// Looks on while the operator works and holds what it says against what containerd runs.
import type { Bed } from '../../tools/control-plane/bed.ts';
import { type Api, modelServings } from './api.ts';
import { type RunningContainer, runningContainers } from './containers.ts';
import { followPods, type LivePod, type PodHistory } from './pod-history.ts';
import { type LiveServing, wantedTag } from './serving.ts';

export interface Witness {
  readonly pods: PodHistory;
  readonly serving: () => LiveServing;
  /** Pods of the ModelServing that are there now, by name. */
  readonly podsByName: () => ReadonlyMap<string, LivePod>;
  /** The VERSION of what runs in each Pod now, by name; a Pod in which nothing runs is not in it. */
  readonly running: () => Promise<ReadonlyMap<string, string>>;
  /** Every time the status called more groups updated than ran the wanted image at that moment. */
  readonly breaches: () => readonly string[];
  readonly stop: () => Promise<void>;
}

const groupOf = (pod: LivePod): string => pod.metadata.labels?.['modelserving.volcano.sh/group-name'] ?? '';

/** Groups all of whose Pods run the image with this tag. */
const groupsOn = (tag: string, pods: readonly LivePod[], running: readonly RunningContainer[]): string[] => {
  const versions = (pod: LivePod): string[] =>
    running.filter(({ podUid }) => podUid === pod.metadata.uid).map(({ version }) => version);
  const groups = new Set(pods.map(groupOf));
  return [...groups].filter((group) =>
    pods.filter((pod) => groupOf(pod) === group).every((pod) => versions(pod).join() === tag),
  );
};

export const startWitness = (bed: Bed, api: Api, name: string): Witness => {
  const pods = followPods(api);
  const versions: LiveServing[] = [];
  const breaches: string[] = [];
  const checks: Promise<void>[] = [];
  const own = (): LivePod[] =>
    pods.latest().filter((pod) => pod.metadata.labels?.['modelserving.volcano.sh/name'] === name);

  // containerd is asked after the status was heard of, so a group that the status is right about has the wanted image
  // by then, and keeps it: only a test changes the wanted image, and it waits for what it needs to see first.
  const check = async (object: LiveServing): Promise<void> => {
    const { observedGeneration, updatedReplicas = 0 } = object.status ?? {};
    // At the first generation nothing is an update: groups count as soon as they are made, started or not.
    if (observedGeneration === 1 || observedGeneration !== object.metadata.generation || updatedReplicas === 0) return;
    const running = await runningContainers(bed);
    const newest = versions.at(-1);
    if (newest?.metadata.generation !== object.metadata.generation) return;
    const right = groupsOn(wantedTag(object), own(), running).length;
    if (right < updatedReplicas) {
      breaches.push(
        `generation ${object.metadata.generation}: ${updatedReplicas} groups called updated, ${right} run ${wantedTag(object)}`,
      );
    }
  };

  const watch = api.watch<LiveServing>(modelServings, ({ object }) => {
    if (object.metadata.name !== name) return;
    versions.push(object);
    checks.push(check(object));
  });

  return {
    pods,
    serving: () => {
      const newest = versions.at(-1);
      if (newest === undefined) throw new Error(`the ModelServing ${name} was not seen yet`);
      return newest;
    },
    podsByName: () => new Map(own().map((pod) => [pod.metadata.name, pod])),
    running: async () => {
      const running = await runningContainers(bed);
      return new Map(
        own().flatMap((pod) =>
          running
            .filter(({ podUid }) => podUid === pod.metadata.uid)
            .map(({ version }) => [pod.metadata.name, version] as const),
        ),
      );
    },
    breaches: () => breaches,
    stop: async () => {
      watch.stop();
      await Promise.all([watch.done, pods.stop(), ...checks]);
    },
  };
};
