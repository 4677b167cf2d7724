import type { Cancel } from './timers.ts';

/** How a machine asks a process to end: SIGINT from a terminal, SIGTERM from a kubelet or an init system. */
export type EndSignal = 'SIGINT' | 'SIGTERM';

/** Where a process learns that it should end. */
export interface Signals {
  /** Calls the handler on every such signal, until cancelled. While anybody listens, the process does not end by itself. */
  onEnd(handler: (signal: EndSignal) => void): Cancel;
}
