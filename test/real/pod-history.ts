import type { Api, KubeObject } from './api.ts';
import { pods } from './api.ts';

export interface ContainerStatus {
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: {
    readonly running?: object;
    readonly waiting?: { readonly reason: string };
    readonly terminated?: object;
  };
}

export interface LivePod extends KubeObject {
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] };
  readonly status: {
    readonly phase: string;
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

export const isReady = (pod: LivePod): boolean =>
  pod.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;

/** Every version of every Pod, in the order the API server told of them. */
export interface PodHistory {
  readonly versionsOf: (uid: string) => readonly LivePod[];
  readonly latest: () => readonly LivePod[];
  /** Names of Pods that were deleted, or were asked to go. */
  readonly leaving: () => readonly string[];
  readonly stop: () => Promise<void>;
}

const uidOf = (pod: LivePod): string => pod.metadata.uid ?? '';

export const followPods = (api: Api): PodHistory => {
  const versions = new Map<string, LivePod[]>();
  const gone = new Set<string>();
  const leaving = new Map<string, string>();
  const watch = api.watch<LivePod>(pods, ({ type, object }) => {
    const uid = uidOf(object);
    versions.set(uid, [...(versions.get(uid) ?? []), object]);
    if (type === 'DELETED') gone.add(uid);
    if (type === 'DELETED' || object.metadata.deletionTimestamp !== undefined) leaving.set(uid, object.metadata.name);
  });
  return {
    versionsOf: (uid) => versions.get(uid) ?? [],
    latest: () => [...versions].flatMap(([uid, list]) => (gone.has(uid) ? [] : list.slice(-1))),
    leaving: () => [...leaving.values()],
    stop: () => {
      watch.stop();
      return watch.done;
    },
  };
};
