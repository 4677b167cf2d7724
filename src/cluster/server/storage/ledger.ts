import type { LedgerEntry } from '../../cluster-types.ts';

/** Every committed write, oldest first; the oldest are dropped beyond the limit. */
export interface Ledger {
  readonly entries: readonly LedgerEntry[];
  record(entry: LedgerEntry): void;
}

/** @param limit how many entries are kept; a cluster that runs for days must not keep them all */
export const createLedger = (limit: number): Ledger => {
  const entries: LedgerEntry[] = [];
  return {
    entries,
    record: (entry) => {
      entries.push(entry);
      if (entries.length > limit * 1.2) entries.splice(0, entries.length - limit);
    },
  };
};
