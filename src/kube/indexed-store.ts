/** The values under which an index finds an object. Must be a pure function of the object. */
export type Indexer<T> = (object: T) => readonly string[];

/** Objects by key, with named indexes that are always up to date. */
export interface IndexedStore<T> {
  get(key: string): T | undefined;
  set(key: string, object: T): void;
  delete(key: string): void;
  list(): readonly T[];
  keys(): Iterable<string>;
  /** Throws a RangeError for an index that was never named. */
  byIndex(index: string, value: string): readonly T[];
  readonly size: number;
}

interface Index<T> {
  readonly indexer: Indexer<T>;
  /** No bucket is empty. */
  readonly buckets: Map<string, Map<string, T>>;
}

export const createIndexedStore = <T>(indexers: Readonly<Record<string, Indexer<T>>> = {}): IndexedStore<T> => {
  const objects = new Map<string, T>();
  const indexes = new Map<string, Index<T>>(
    Object.entries(indexers).map(([name, indexer]) => [name, { indexer, buckets: new Map() }]),
  );

  const unindex = (key: string, object: T): void => {
    for (const { indexer, buckets } of indexes.values()) {
      for (const value of indexer(object)) {
        const bucket = buckets.get(value);
        bucket?.delete(key);
        if (bucket?.size === 0) buckets.delete(value);
      }
    }
  };

  const index = (key: string, object: T): void => {
    for (const { indexer, buckets } of indexes.values()) {
      for (const value of indexer(object)) {
        const bucket = buckets.get(value);
        if (bucket === undefined) buckets.set(value, new Map([[key, object]]));
        else bucket.set(key, object);
      }
    }
  };

  return {
    get: (key) => objects.get(key),
    set(key, object) {
      const previous = objects.get(key);
      if (previous !== undefined) unindex(key, previous);
      objects.set(key, object);
      index(key, object);
    },
    delete(key) {
      const previous = objects.get(key);
      if (previous === undefined) return;
      objects.delete(key);
      unindex(key, previous);
    },
    list: () => [...objects.values()],
    keys: () => objects.keys(),
    byIndex(name, value) {
      const found = indexes.get(name);
      if (found === undefined) throw new RangeError(`the cache has no index named ${name}`);
      return [...(found.buckets.get(value)?.values() ?? [])];
    },
    get size() {
      return objects.size;
    },
  };
};
