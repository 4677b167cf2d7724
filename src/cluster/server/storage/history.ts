import type { Change } from './change.ts';

/** The newest changes of one resource, oldest first. What falls out can no longer be watched from. */
export interface History {
  add(change: Change): void;
  /** Changes after this revision; undefined where some of them are already forgotten. */
  since(revision: number): readonly Change[] | undefined;
}

/** @param limit how many changes are kept; trimmed in batches, so up to a fifth more may be there for a while */
export const createHistory = (limit: number): History => {
  let changes: Change[] = [];
  // Every change above this revision is still here.
  let floor = 0;
  return {
    add: (change) => {
      changes.push(change);
      if (changes.length <= limit * 1.2) return;
      const cut = changes.length - limit;
      floor = changes[cut - 1]?.revision ?? floor;
      changes = changes.slice(cut);
    },
    since: (revision) => (revision < floor ? undefined : changes.slice(firstAfter(changes, revision))),
  };
};

const firstAfter = (changes: readonly Change[], revision: number): number => {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((changes[middle]?.revision ?? 0) <= revision) low = middle + 1;
    else high = middle;
  }
  return low;
};
