// Looks on while the operator works and holds what it says against what containerd runs.
import type { Bed } from '../../tools/control-plane/bed.ts';
import { type Api, modelServings } from './api.ts';
import { type RunningContainer, runningContainers } from './containers.ts';
import { followPods, type LivePod, type PodHistory } from './pod-history.ts';
import { type LiveServing, wantedVersion } from './serving.ts';

export interface Witness {
  readonly pods: PodHistory;
  readonly isSeen: () => boolean;
  readonly serving: () => LiveServing;
  /** Pods of the ModelServing that are there now, by name. */
  readonly podsByName: () => ReadonlyMap<string, LivePod>;
  /** The VERSION of what runs in each Pod now, by name; a Pod in which nothing runs is not in it. */
  readonly running: () => Promise<ReadonlyMap<string, string>>;
  /** Every time the status called a group updated in which another image than the wanted one ran at that moment. */
  readonly breaches: () => readonly string[];
  readonly stop: () => Promise<void>;
}

const groupOf = (pod: LivePod): string => pod.metadata.labels?.['modelserving.volcano.sh/group-name'] ?? '';

/** Groups with a Pod in which something else runs than the image with this VERSION. */
const groupsNotOn = (version: string, pods: readonly LivePod[], running: readonly RunningContainer[]): number => {
  const isWrong = (pod: LivePod): boolean =>
    running.some((container) => container.podUid === pod.metadata.uid && container.version !== version);
  return new Set(pods.filter(isWrong).map(groupOf)).size;
};

export const startWitness = (bed: Bed, api: Api, name: string): Witness => {
  const pods = followPods(api);
  const versions: LiveServing[] = [];
  const breaches: string[] = [];
  const checks: Promise<void>[] = [];
  const own = (): LivePod[] =>
    pods.latest().filter((pod) => pod.metadata.labels?.['modelserving.volcano.sh/name'] === name);

  // containerd is asked after the status was heard of, so in a group that the status is right about no other image
  // runs by then, and none will: only a test changes the wanted image, and it waits for what it needs to see first.
  const check = async (object: LiveServing): Promise<void> => {
    const { observedGeneration, updatedReplicas = 0 } = object.status ?? {};
    if (observedGeneration !== object.metadata.generation || updatedReplicas === 0) return;
    const running = await runningContainers(bed);
    const newest = versions.at(-1);
    if (newest?.metadata.generation !== object.metadata.generation) return;
    const wrong = groupsNotOn(wantedVersion(object), own(), running);
    if (updatedReplicas + wrong > new Set(own().map(groupOf)).size) {
      breaches.push(
        `generation ${object.metadata.generation}: ${updatedReplicas} groups called updated, ${wrong} do not run ${wantedVersion(object)}`,
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
    isSeen: () => versions.length > 0,
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
