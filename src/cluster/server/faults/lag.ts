import type { Timers } from '../../../platform/index.ts';

/** Passes pieces on in order, each `ms` later. */
export interface Lag {
  put(piece: string): void;
  /** Runs the task when everything put before has been passed on. */
  after(task: () => void): void;
}

export interface LagOptions {
  readonly timers: Timers;
  readonly ms: number;
  /** Of several MODIFIED lines of one object that wait at the same time, the last alone is passed on. */
  readonly coalesce: boolean;
  readonly pass: (piece: string) => void;
}

export const createLag = ({ timers, ms, coalesce, pass }: LagOptions): Lag => {
  let waiting: { piece: string | undefined; readonly key: string | undefined; readonly run?: () => void }[] = [];
  const due = (): void => {
    const [first, ...rest] = waiting;
    waiting = rest;
    if (first?.piece !== undefined) pass(first.piece);
    first?.run?.();
  };
  return {
    put: (piece) => {
      const key = coalesce ? modifiedKey(piece) : undefined;
      const last = key === undefined ? undefined : waiting.findLast((one) => one.key === key);
      // The place of the older event stays, and says nothing, so that no other event comes early.
      if (last !== undefined) last.piece = undefined;
      waiting.push({ piece, key });
      timers.after(ms, due);
    },
    after: (run) => {
      waiting.push({ piece: undefined, key: undefined, run });
      timers.after(ms, due);
    },
  };
};

/** The object that a MODIFIED line is about; undefined for every other line. */
const modifiedKey = (line: string): string | undefined => {
  const { type, object } = JSON.parse(line) as { type: string; object: { metadata?: { uid?: string } } };
  return type === 'MODIFIED' ? object.metadata?.uid : undefined;
};
