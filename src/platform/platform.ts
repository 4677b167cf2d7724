import type { Clock } from './clock.ts';
import type { Random } from './random.ts';
import type { Timers } from './timers.ts';

/** What nearly every part needs from the machine. Files, signals and transports are handed out one by one. */
export interface Platform {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
}

/** Resolves `delayMs` milliseconds from now. */
export const sleep = (platform: Pick<Platform, 'timers'>, delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    platform.timers.after(delayMs, resolve);
  });
