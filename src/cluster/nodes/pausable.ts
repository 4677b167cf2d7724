import type { Timers } from '../../platform/index.ts';

/** Timers whose tasks wait while paused, as those of a stopped process do; time itself goes on. */
export interface Pausable extends Timers {
  /** Runs the task now, or at the resume if paused. */
  run(task: () => void): void;
  pause(): void;
  /** What came due meanwhile runs now, in the order in which it was due. */
  resume(): void;
  /** Forgets what came due while paused, as a process that is killed does. */
  drop(): void;
  readonly paused: boolean;
}

export const pausable = (timers: Timers): Pausable => {
  let paused = false;
  let held: (() => void)[] = [];
  const run = (task: () => void): void => {
    if (paused) held.push(task);
    else task();
  };
  return {
    run,
    after: (delayMs, task, options) => {
      let cancelled = false;
      const cancel = timers.after(
        delayMs,
        () =>
          run(() => {
            if (!cancelled) task();
          }),
        options,
      );
      return () => {
        cancelled = true;
        cancel();
      };
    },
    pause: () => {
      paused = true;
    },
    resume: () => {
      if (!paused) return;
      paused = false;
      const due = held;
      held = [];
      for (const task of due) run(task);
    },
    drop: () => {
      held = [];
    },
    get paused() {
      return paused;
    },
  };
};
