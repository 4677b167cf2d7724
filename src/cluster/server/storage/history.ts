import type { Change } from './change.ts';

/** The newest changes of one resource, oldest first. What falls out can no longer be watched from. */
export interface History {
  add(change: Change): void;
  /** Changes after this revision; undefined where some of them are already forgotten. */
  since(revision: number): readonly Change[] | undefined;
  /** Forgets everything up to this revision. */
  forget(revision: number): void;
}

/**
 * @param limit  how many changes are kept; trimmed in batches, so up to a fifth more may be there for a while
 * @param from   the revision at which it begins
 */
export const createHistory = (limit: number, from: number): History => {
  let changes: Change[] = [];
  // Every change above this revision is still here.
  let floor = from;
  return {
    add: (change) => {
      changes.push(change);
      if (changes.length <= limit * 1.2) return;
      const cut = changes.length - limit;
      floor = changes[cut - 1]?.revision ?? floor;
      changes = changes.slice(cut);
    },
    forget: (revision) => {
      changes = changes.slice(firstAfter(changes, revision));
      floor = Math.max(floor, revision);
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
