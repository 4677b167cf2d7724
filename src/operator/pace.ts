import type { WorkQueue } from '../kube/index.ts';
import type { Clock } from '../platform/index.ts';

/**
 * Lets changes of children gather before the next decision. A decision looks at every Pod of its ModelServing, so it
 * costs more the more there are, while a thousand Pods that start report a thousand changes a second.
 */
export interface Pace {
  /** The key, once its time has come. */
  add(key: string): void;
  /** A decision about so many Pods was taken. */
  decided(key: string, pods: number): void;
  forget(key: string): void;
}

/** Milliseconds between two decisions: none below ten Pods, 100 for a thousand. */
const msPerPod = 0.1;
const longestMs = 200;

export const createPace = (queue: Pick<WorkQueue, 'add' | 'addAfter'>, clock: Clock): Pace => {
  const notBefore = new Map<string, number>();
  return {
    add: (key) => {
      const waitMs = (notBefore.get(key) ?? 0) - clock.monotonic();
      if (waitMs <= 0) queue.add(key);
      else queue.addAfter(key, waitMs);
    },
    decided: (key, pods) => {
      notBefore.set(key, clock.monotonic() + Math.min(longestMs, Math.floor(pods * msPerPod)));
    },
    forget: (key) => {
      notBefore.delete(key);
    },
  };
};
