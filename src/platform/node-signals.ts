import type { EndSignal, Signals } from './signals.ts';

const endSignals: readonly EndSignal[] = ['SIGINT', 'SIGTERM'];

/** The signals of this process. */
export const nodeSignals = (): Signals => ({
  onEnd(handler) {
    const listener = (signal: NodeJS.Signals): void => {
      if (signal === 'SIGINT' || signal === 'SIGTERM') handler(signal);
    };
    for (const signal of endSignals) process.on(signal, listener);
    return () => {
      for (const signal of endSignals) process.off(signal, listener);
    };
  },
});
