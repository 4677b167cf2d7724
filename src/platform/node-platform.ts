import { randomFillSync } from 'node:crypto';
import type { Platform } from './platform.ts';
import type { Timers } from './timers.ts';

/** The longest delay a Node timer holds; a longer one would fire after 1 ms. */
const longestDelayMs = 2 ** 31 - 1;

const nodeTimers: Timers = {
  after(delayMs, task, options) {
    let handle: NodeJS.Timeout;
    const arm = (leftMs: number): void => {
      const nowMs = Math.min(Math.max(leftMs, 0), longestDelayMs);
      handle = setTimeout(() => (leftMs > nowMs ? arm(leftMs - nowMs) : task()), nowMs);
      if (options?.background === true) handle.unref();
    };
    arm(delayMs);
    return () => clearTimeout(handle);
  },
};

/** The machine this process runs on. */
export const nodePlatform = (): Platform => {
  const buffer = new Uint32Array(1);
  return {
    clock: { wall: () => Date.now(), monotonic: () => performance.now() },
    timers: nodeTimers,
    random: {
      uint32: () => {
        randomFillSync(buffer);
        return buffer[0] ?? 0;
      },
    },
  };
};
