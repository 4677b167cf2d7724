/**
 * A map that forgets the entry set longest ago once it holds `limit` entries. For memory that only makes things
 * faster, so that forgetting is never wrong.
 */
export interface BoundedMap<V> {
  set(key: string, value: V): void;
  get(key: string): V | undefined;
  delete(key: string): void;
  /** The live map, for reading. */
  readonly view: ReadonlyMap<string, V>;
}

export const createBoundedMap = <V>(limit: number): BoundedMap<V> => {
  // Insertion order is the order of forgetting: an entry set again goes to the end.
  const map = new Map<string, V>();
  return {
    set: (key, value) => {
      map.delete(key);
      map.set(key, value);
      if (map.size <= limit) return;
      for (const oldest of map.keys()) {
        map.delete(oldest);
        return;
      }
    },
    get: (key) => map.get(key),
    delete: (key) => {
      map.delete(key);
    },
    view: map,
  };
};
