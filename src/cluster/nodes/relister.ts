import type { Cancel, Clock, Timers } from '../../platform/index.ts';
import { emptyPodRecord, type PodRecord } from './records.ts';

/**
 * The kubelet's view of the runtime. It looks once a second (PLEG, `genericPlegRelistPeriod`), so it learns late of
 * what happened, and a sync that follows another waits for the next look. At rest there is no timer: a look that can
 * find nothing is not made.
 */
export interface Relister {
  /** The Pod as the last look found it. */
  view(podUid: string): PodRecord;
  /** When `view` was true, monotonic milliseconds. */
  viewedAtMs(podUid: string): number;
  /** The runtime has changed something about the Pod; to be called after each change. */
  changed(podUid: string): void;
  /** Runs the task after the next look, once. */
  afterNext(podUid: string, task: () => void): void;
  forget(podUid: string): void;
  /** Looks now. */
  look(): void;
  /** Forgets who waits and when to look again. */
  clear(): void;
}

export const relistPeriodMs = 1000;

/** `onChange` is called in a look, for each Pod that changed since the last one. */
export const createRelister = (
  parts: { readonly clock: Clock; readonly timers: Timers; view(podUid: string): PodRecord },
  onChange: (podUid: string) => void,
): Relister => {
  const { clock, timers } = parts;
  const views = new Map<string, PodRecord>();
  /** Pods whose view is out of date, with the moment of the first change since. */
  const changedAt = new Map<string, number>();
  const waiting = new Map<string, () => void>();
  let cancelTick: Cancel | undefined;

  const lastTick = (ms: number): number => Math.floor(ms / relistPeriodMs) * relistPeriodMs;

  const schedule = (): void => {
    if (cancelTick !== undefined) return;
    const now = clock.monotonic();
    cancelTick = timers.after(lastTick(now) + relistPeriodMs - now, () => {
      cancelTick = undefined;
      look();
    });
  };

  const look = (): void => {
    const changed = [...changedAt.keys()];
    changedAt.clear();
    for (const podUid of changed) views.set(podUid, parts.view(podUid));
    const tasks = [...waiting.values()];
    waiting.clear();
    for (const task of tasks) task();
    for (const podUid of changed) onChange(podUid);
  };

  return {
    view: (podUid) => views.get(podUid) ?? emptyPodRecord,
    viewedAtMs: (podUid) => lastTick(changedAt.get(podUid) ?? clock.monotonic()),
    changed: (podUid) => {
      if (!changedAt.has(podUid)) changedAt.set(podUid, clock.monotonic());
      schedule();
    },
    afterNext: (podUid, task) => {
      waiting.set(podUid, task);
      schedule();
    },
    forget: (podUid) => {
      views.delete(podUid);
      changedAt.delete(podUid);
      waiting.delete(podUid);
    },
    look,
    clear: () => {
      waiting.clear();
      cancelTick?.();
      cancelTick = undefined;
    },
  };
};
