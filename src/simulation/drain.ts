const turn: (callback: () => void) => unknown = setImmediate;

/**
 * Resolves when every promise continuation that can run has run. One turn of the real event loop is enough: the
 * microtask queue is emptied, however deep, before a callback of the next phase is called. It costs microseconds and
 * no virtual time. Taken from the global once, so that a test with fake timers cannot stop it.
 */
export const drainPromises = (): Promise<void> =>
  new Promise((resolve) => {
    turn(resolve);
  });
