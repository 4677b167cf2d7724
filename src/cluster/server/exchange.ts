import type { Cancel, Platform, ResponseHandlers } from '../../platform/index.ts';

/** One request and what comes back for it. After `end`, `fail` or `cancel` nothing is called any more. */
export interface Exchange {
  /** Runs the task 0 ms later, in the order of the calls. */
  soon(task: () => void): void;
  /** The same after a while. */
  later(delayMs: number, task: () => void): void;
  head(status: number, headers: Readonly<Record<string, string>>): void;
  data(text: string): void;
  end(): void;
  /** The connection breaks. */
  fail(error: Error): void;
  cancel(): void;
  /** Called when the exchange is over, however it ended. */
  onOver(stop: Cancel): void;
}

export const createExchange = (platform: Pick<Platform, 'timers'>, handlers: ResponseHandlers): Exchange => {
  const encoder = new TextEncoder();
  const stops: Cancel[] = [];
  let over = false;
  // In the order of calls. One timer at a time, since timers that fall due together run in any order.
  let queue: (() => void)[] = [];
  const drain = (): void => {
    const due = queue;
    queue = [];
    for (const task of due) if (!over) task();
  };
  const soon = (task: () => void): void => {
    if (queue.push(task) === 1) platform.timers.after(0, drain);
  };
  const finish = (): void => {
    over = true;
    for (const stop of stops.splice(0)) stop();
  };
  const finishWith = (error?: Error): void =>
    soon(() => {
      finish();
      handlers.onEnd(error);
    });
  return {
    soon,
    later: (delayMs, task) => (delayMs > 0 ? void platform.timers.after(delayMs, () => soon(task)) : soon(task)),
    head: (status, headers) => soon(() => handlers.onHead({ status, headers })),
    data: (text) => soon(() => handlers.onData(encoder.encode(text))),
    end: () => finishWith(),
    fail: finishWith,
    cancel: () => {
      if (!over) finish();
    },
    onOver: (stop) => (over ? stop() : void stops.push(stop)),
  };
};
