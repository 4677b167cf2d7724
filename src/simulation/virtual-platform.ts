import type { Platform, Random } from '../platform/index.ts';
import { drainPromises } from './drain.ts';
import { seededRandom, seedOf } from './seeded-random.ts';
import { createTaskHeap, type Ordered } from './task-heap.ts';

export interface VirtualPlatformOptions {
  /** The same seed and the same program give the same run. Default 1. */
  readonly seed?: number;
  /** Wall time at the start, milliseconds since the Unix epoch. Default 2026-01-01T00:00:00Z. */
  readonly startMs?: number;
  /** Which of several tasks due at the same instant runs first. Default: the one added first. */
  readonly ties?: 'insertion' | 'seeded';
  /** So many tasks at one instant count as a loop that never waits, and fail the run. Default 1,000,000. */
  readonly livelockSteps?: number;
}

/** One process of the virtual machine: its timers die with it. */
export interface VirtualProcess {
  readonly platform: Platform;
  /** Its tasks never run again and new ones are not taken, as if the process had been killed at this very line. */
  kill(): void;
  isAlive(): boolean;
  /** Its tasks wait, as under SIGSTOP or a long garbage collection; time goes on. */
  pause(): void;
  /** What came due meanwhile runs now, in the order in which it was due. */
  resume(): void;
  /** Moves this process's wall clock alone. */
  jumpWall(byMs: number): void;
}

/** A machine whose time moves only when told to. It is itself a Platform: that of the outermost process. */
export interface VirtualPlatform extends Platform {
  /** Runs everything due within the next `ms` milliseconds, then stands exactly `ms` later. */
  advance(ms: number): Promise<void>;
  /**
   * Runs task by task until the predicate holds (checked before the first and after each task). Throws when it does
   * not hold within `timeoutMs` of virtual time, or when nothing is left that could happen.
   */
  runUntil(predicate: () => boolean, options: { readonly timeoutMs: number }): Promise<void>;
  /** Runs until the promise settles and passes its outcome on. Throws as `runUntil` does. */
  complete<T>(work: Promise<T>, options: { readonly timeoutMs: number }): Promise<T>;
  /** How many tasks wait, background ones not counted. */
  pending(): number;
  /** In how many milliseconds the next task is due that is not a background one. */
  nextDueMs(): number | undefined;
  /** Moves the wall clock of every process; monotonic time and due times stay. */
  jumpWall(byMs: number): void;
  /** A process of its own on this machine, with its own stream of random numbers (seeded by the name). */
  process(name: string): VirtualProcess;
  /** A number that differs when two runs did different things at different times. */
  fingerprint(): number;
}

interface Task extends Ordered {
  /** Both change only while the task is held by a paused process, never in the heap. */
  at: number;
  sequence: number;
  readonly run: () => void;
  readonly background: boolean;
  readonly owner: Owner;
  cancelled: boolean;
}

interface Owner {
  readonly name: string;
  state: 'running' | 'paused' | 'killed';
  /** Tasks that came due while paused, in due order. */
  held: Task[];
  wallOffset: number;
}

const defaultStartMs = Date.UTC(2026, 0, 1);

/** Creates the machine. All its processes share one heap of tasks, so one order of everything that happens. */
export const createVirtualPlatform = (options: VirtualPlatformOptions = {}): VirtualPlatform => {
  const seed = options.seed ?? 1;
  const startMs = options.startMs ?? defaultStartMs;
  const livelockSteps = options.livelockSteps ?? 1_000_000;
  const heap = createTaskHeap<Task>();
  const tieBreaker: Random | undefined = options.ties === 'seeded' ? seededRandom(seed ^ 0x7e57) : undefined;
  let now = 0;
  let wallOffset = 0;
  let sequence = 0;
  /** Tasks in the heap or held by a paused process that are neither cancelled nor background. */
  let foreground = 0;
  let cancelledInHeap = 0;
  let running = false;
  let stepsAtInstant = 0;
  let trace = seedOf(String(seed));

  const forget = (task: Task): void => {
    if (task.cancelled) return;
    task.cancelled = true;
    if (!task.background) foreground--;
  };

  const platformOf = (owner: Owner): Platform => ({
    clock: { wall: () => startMs + now + wallOffset + owner.wallOffset, monotonic: () => now },
    random: seededRandom(seed ^ seedOf(owner.name)),
    timers: {
      after: (delayMs, run, taskOptions) => {
        if (Number.isNaN(delayMs)) throw new RangeError('a timer needs a number of milliseconds');
        if (owner.state === 'killed') return () => undefined;
        const task: Task = {
          at: now + Math.max(0, delayMs),
          tie: tieBreaker?.uint32() ?? 0,
          sequence: sequence++,
          run,
          background: taskOptions?.background === true,
          owner,
          cancelled: false,
        };
        if (!task.background) foreground++;
        heap.push(task);
        return () => {
          if (!task.cancelled) cancelledInHeap++;
          forget(task);
          if (cancelledInHeap > 64 && cancelledInHeap * 2 > heap.size) sweep();
        };
      },
    },
  });

  const sweep = (): void => {
    heap.keep((task) => !task.cancelled);
    cancelledInHeap = 0;
  };

  /** The next task that can run, due by `limit`; what cannot run is put aside on the way. */
  const takeDue = (limit: number): Task | undefined => {
    for (;;) {
      const next = heap.peek();
      if (next === undefined || next.at > limit) return undefined;
      heap.pop();
      if (next.cancelled) cancelledInHeap = Math.max(0, cancelledInHeap - 1);
      else if (next.owner.state === 'paused') next.owner.held.push(next);
      else return next;
    }
  };

  const step = async (task: Task): Promise<void> => {
    if (task.at > now) {
      now = task.at;
      stepsAtInstant = 0;
    }
    if (++stepsAtInstant > livelockSteps) {
      throw new Error(`${livelockSteps} tasks ran at ${now} ms without time passing: something loops without waiting`);
    }
    trace = Math.imul(trace ^ (now | 0) ^ (task.sequence << 7), 0x01000193) >>> 0;
    forget(task);
    task.run();
    await drainPromises();
  };

  /** Runs tasks due by `limit` until `stop` says so; true if it did. */
  const run = async (limit: number, stop: () => boolean): Promise<boolean> => {
    if (running) throw new Error('virtual time is already running: await the earlier call first');
    running = true;
    try {
      await drainPromises();
      for (;;) {
        if (stop()) return true;
        const task = takeDue(limit);
        if (task === undefined) return false;
        await step(task);
      }
    } finally {
      running = false;
    }
  };

  const runUntil: VirtualPlatform['runUntil'] = async (predicate, { timeoutMs }) => {
    const limit = now + timeoutMs;
    if (await run(limit, predicate)) return;
    if (heap.size === 0) throw new Error(`nothing is left that could happen, at ${now} ms, and the predicate is false`);
    now = limit;
    throw new Error(`the predicate is still false after ${timeoutMs} ms, with ${foreground} tasks pending`);
  };

  const createOwner = (name: string): Owner => ({ name, state: 'running', held: [], wallOffset: 0 });

  const processOf = (name: string): VirtualProcess => {
    const owner = createOwner(name);
    return {
      platform: platformOf(owner),
      kill: () => {
        if (owner.state === 'killed') return;
        owner.state = 'killed';
        for (const task of [...heap.items(), ...owner.held]) if (task.owner === owner) forget(task);
        owner.held = [];
        sweep();
      },
      isAlive: () => owner.state !== 'killed',
      pause: () => {
        if (owner.state === 'running') owner.state = 'paused';
      },
      resume: () => {
        if (owner.state !== 'paused') return;
        owner.state = 'running';
        for (const task of owner.held.filter((held) => !held.cancelled)) {
          task.at = now;
          task.sequence = sequence++;
          heap.push(task);
        }
        owner.held = [];
      },
      jumpWall: (byMs) => {
        owner.wallOffset += byMs;
      },
    };
  };

  return {
    ...platformOf(createOwner('')),
    advance: async (ms) => {
      const limit = now + ms;
      await run(limit, () => false);
      now = limit;
    },
    runUntil,
    complete: async (work, limits) => {
      const outcome = { settled: false };
      const settle = (): void => {
        outcome.settled = true;
      };
      work.then(settle, settle);
      await runUntil(() => outcome.settled, limits);
      return work;
    },
    pending: () => foreground,
    nextDueMs: () => {
      let earliest: number | undefined;
      for (const task of heap.items()) {
        if (task.cancelled || task.background || task.owner.state !== 'running') continue;
        if (earliest === undefined || task.at < earliest) earliest = task.at;
      }
      return earliest === undefined ? undefined : earliest - now;
    },
    jumpWall: (byMs) => {
      wallOffset += byMs;
    },
    process: processOf,
    fingerprint: () => trace,
  };
};
