import type { Cancel, Platform } from '../platform/index.ts';
import { backOffBoundMs } from './back-off.ts';
import { createDelayHeap } from './delay-heap.ts';
import { type Log, silentLog } from './log.ts';
import type { WorkQueue } from './work-queue-types.ts';

export interface WorkQueueOptions {
  readonly platform: Pick<Platform, 'clock' | 'timers'>;
  readonly log?: Log | undefined;
  /** First back-off of a key, milliseconds. Default 5, doubled each time, as in client-go. */
  readonly baseDelayMs?: number | undefined;
  /** Longest back-off, milliseconds. Default 1,000,000. */
  readonly maxDelayMs?: number | undefined;
  readonly metrics?: WorkQueueMetrics | undefined;
}

/** The moments that client-go's work queue metrics are made of. */
export interface WorkQueueMetrics {
  added?(key: string): void;
  /** A handler starts; the key had waited so long. */
  taken?(key: string, waitedMs: number): void;
  done?(key: string, workedMs: number, failed: boolean): void;
  retried?(key: string): void;
}

/** What is being handled, for the metrics "unfinished work" and "longest running". */
export interface WorkQueueStats {
  readonly waiting: number;
  readonly delayed: number;
  readonly running: number;
  readonly longestRunningMs: number;
}

export interface ObservedWorkQueue extends WorkQueue {
  stats(): WorkQueueStats;
}

interface Worker {
  readonly concurrency: number;
  readonly handle: (key: string) => Promise<void>;
  /** Set once it is to end; called when the last handler has ended. */
  ended?: () => void;
}

/** Creates a queue. After its `run` was stopped it takes nothing any more and its timers are gone. */
export const createWorkQueue = (options: WorkQueueOptions): ObservedWorkQueue => {
  const { clock, timers } = options.platform;
  const log = options.log ?? silentLog;
  const metrics = options.metrics ?? {};
  const backOff = { baseMs: options.baseDelayMs ?? 5, factor: 2, capMs: options.maxDelayMs ?? 1_000_000 };
  // Keys to be handled, in order, with the moment each was added. Every one is in `dirty` and none in `processing`.
  const queue = new Map<string, number>();
  // Keys that need to be handled.
  const dirty = new Set<string>();
  // Keys being handled, with the moment it began. One that is also in `dirty` goes back to the queue when it is done.
  const processing = new Map<string, number>();
  const delayed = createDelayHeap();
  const failures = new Map<string, number>();
  let worker: Worker | undefined;
  let stopped = false;
  let dispatching = false;
  let disarm: Cancel = () => undefined;
  let armedFor: number | undefined;

  const add = (key: string): void => {
    if (stopped || dirty.has(key)) return;
    dirty.add(key);
    metrics.added?.(key);
    if (processing.has(key)) return;
    queue.set(key, clock.monotonic());
    dispatch();
  };

  const dispatch = (): void => {
    if (dispatching) return;
    dispatching = true;
    // A microtask later: who adds a key never runs the work itself, and a burst is taken in one go.
    queueMicrotask(() => {
      dispatching = false;
      for (const [key, addedAt] of queue) {
        if (worker === undefined || stopped || processing.size >= worker.concurrency) return;
        const now = clock.monotonic();
        queue.delete(key);
        dirty.delete(key);
        processing.set(key, now);
        metrics.taken?.(key, now - addedAt);
        void work(key, worker.handle, now);
      }
    });
  };

  const work = async (key: string, handle: Worker['handle'], startedAt: number): Promise<void> => {
    const failuresBefore = failures.get(key);
    let failed = false;
    try {
      await handle(key);
      // Handled, and no back-off was asked for on the way: the next failure starts small again.
      if (failures.get(key) === failuresBefore) failures.delete(key);
    } catch (err) {
      failed = true;
      log.error({ err, key }, 'a key failed and is tried again');
      addRateLimited(key);
    }
    metrics.done?.(key, clock.monotonic() - startedAt, failed);
    done(key);
  };

  const done = (key: string): void => {
    processing.delete(key);
    if (dirty.has(key) && !stopped) queue.set(key, clock.monotonic());
    if (processing.size === 0) worker?.ended?.();
    dispatch();
  };

  const arm = (): void => {
    const at = delayed.first();
    if (at === armedFor) return;
    disarm();
    armedFor = at;
    if (at === undefined) return;
    disarm = timers.after(at - clock.monotonic(), () => {
      armedFor = undefined;
      for (const key of delayed.takeDue(clock.monotonic())) add(key);
      arm();
    });
  };

  const addAfter = (key: string, delayMs: number): void => {
    if (stopped) return;
    if (delayMs <= 0) {
      add(key);
      return;
    }
    delayed.add(key, clock.monotonic() + delayMs);
    arm();
  };

  const addRateLimited = (key: string): void => {
    if (stopped) return;
    const before = failures.get(key) ?? 0;
    failures.set(key, before + 1);
    metrics.retried?.(key);
    addAfter(key, backOffBoundMs(backOff, before));
  };

  const stop = (): void => {
    stopped = true;
    disarm();
    delayed.clear();
    queue.clear();
    dirty.clear();
  };

  return {
    add,
    addAfter,
    addRateLimited,
    forget: (key) => {
      failures.delete(key);
    },
    run(concurrency, handle) {
      if (worker !== undefined) throw new TypeError('this queue is already being worked on');
      const own: Worker = { concurrency, handle };
      worker = own;
      dispatch();
      return () =>
        new Promise((resolve) => {
          const endedBefore = own.ended;
          own.ended = () => {
            endedBefore?.();
            resolve();
          };
          stop();
          if (processing.size === 0) own.ended();
        });
    },
    get depth() {
      return queue.size;
    },
    stats: () => {
      const now = clock.monotonic();
      // Insertion order is the order of starting, so the first one has run longest.
      const [oldest] = processing.values();
      return {
        waiting: queue.size,
        delayed: delayed.size,
        running: processing.size,
        longestRunningMs: oldest === undefined ? 0 : now - oldest,
      };
    },
  };
};
