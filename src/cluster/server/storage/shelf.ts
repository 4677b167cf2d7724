import type { StoredObject } from '../../server-types.ts';
import type { Change } from './change.ts';

/** The objects of one resource, listed in the byte order of their keys, as etcd does. */
export interface Shelf {
  get(key: string): StoredObject | undefined;
  put(key: string, object: StoredObject): void;
  remove(key: string): void;
  /** All objects with their keys, in order. */
  entries(): readonly Entry[];
}

export type Entry = readonly [key: string, object: StoredObject];

export const createShelf = (): Shelf => {
  const objects = new Map<string, StoredObject>();
  // Sorted view of `objects`; undefined after any change, made again when someone lists.
  let sorted: readonly Entry[] | undefined;
  return {
    get: (key) => objects.get(key),
    put: (key, object) => {
      objects.set(key, object);
      sorted = undefined;
    },
    remove: (key) => {
      objects.delete(key);
      sorted = undefined;
    },
    entries: () => {
      sorted ??= [...objects].sort(byKey);
      return sorted;
    },
  };
};

/** The entries as they were before `changes` (oldest first), which are all that happened since. */
export const rewind = (entries: readonly Entry[], changes: readonly Change[]): readonly Entry[] => {
  const past = new Map(entries);
  for (const change of changes.toReversed()) {
    if (change.previous === undefined) past.delete(change.key);
    else past.set(change.key, change.previous);
  }
  return [...past].sort(byKey);
};

const byKey = ([a]: Entry, [b]: Entry): number => (a < b ? -1 : a > b ? 1 : 0);
