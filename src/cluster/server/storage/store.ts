import { deepFreeze } from '../../../objects/index.ts';
import type { Cancel } from '../../../platform/index.ts';
import type { StoredObject } from '../../server-types.ts';
import type { Change } from './change.ts';

import { createHistory, type History } from './history.ts';
import { createShelf, rewind, type Shelf } from './shelf.ts';

/**
 * What etcd and the watch cache are to a real server: all objects, one counter of revisions, and the recent changes
 * of each resource. Objects in it are frozen and shared; nobody copies them.
 */
export interface Store {
  /** The revision of the newest commit. */
  revision(): number;
  get(resource: string, key: string): StoredObject | undefined;
  /** In the order of keys. */
  list(resource: string): readonly StoredObject[];
  /** As it was at this revision; undefined where that is already forgotten. */
  listAt(resource: string, revision: number): readonly StoredObject[] | undefined;
  /** Changes after this revision; undefined where some of them are already forgotten. */
  changesSince(resource: string, revision: number): readonly Change[] | undefined;
  /** Forgets the history of every resource, as etcd's compaction does. */
  compact(): void;
  /** Called within the commit, in the order of commits. */
  subscribe(resource: string, listener: (change: Change) => void): Cancel;
  /** The same for every resource. */
  subscribeAll(listener: (change: Change) => void): Cancel;
  /** Stores the object under the next revision and returns it with that resourceVersion. */
  put(resource: string, key: string, object: StoredObject): StoredObject;
  /** Removes the object; returns its last state with the resourceVersion of the removal. Throws where nothing is. */
  remove(resource: string, key: string): StoredObject;
}

export const createStore = (historyLimit: number): Store => {
  let revision = 0;
  // Histories that begin later know nothing of what was before this either.
  let compacted = 0;
  const shelves = new Map<string, Shelf>();
  const histories = new Map<string, History>();
  const listeners = new Map<string, Set<(change: Change) => void>>();

  const everyone = new Set<(change: Change) => void>();

  const shelf = (resource: string): Shelf => obtain(shelves, resource, createShelf);
  const history = (resource: string): History =>
    obtain(histories, resource, () => createHistory(historyLimit, compacted));
  const publish = (resource: string, change: Change): void => {
    history(resource).add(change);
    for (const listener of [...(listeners.get(resource) ?? []), ...everyone]) listener(change);
  };

  return {
    revision: () => revision,
    get: (resource, key) => shelves.get(resource)?.get(key),
    list: (resource) => shelf(resource).entries().map(second),
    listAt: (resource, at) => {
      const changes = history(resource).since(at);
      return changes && rewind(shelf(resource).entries(), changes).map(second);
    },
    changesSince: (resource, since) => history(resource).since(since),
    compact: () => {
      compacted = revision;
      for (const kept of histories.values()) kept.forget(revision);
    },
    subscribe: (resource, listener) => {
      const all = obtain(listeners, resource, () => new Set());
      all.add(listener);
      return () => all.delete(listener);
    },
    subscribeAll: (listener) => {
      everyone.add(listener);
      return () => everyone.delete(listener);
    },
    put: (resource, key, object) => {
      const previous = shelf(resource).get(key);
      revision += 1;
      const stored = deepFreeze(at(object, revision));
      shelf(resource).put(key, stored);
      publish(resource, { revision, type: previous ? 'MODIFIED' : 'ADDED', key, object: stored, previous });
      return stored;
    },
    remove: (resource, key) => {
      const previous = shelf(resource).get(key);
      if (previous === undefined) throw new Error(`${resource} ${key} is not stored`);
      revision += 1;
      const last = deepFreeze(at(previous, revision));
      shelf(resource).remove(key);
      publish(resource, { revision, type: 'DELETED', key, object: last, previous });
      return last;
    },
  };
};

const second = <T>([, object]: readonly [string, T]): T => object;

const at = (object: StoredObject, revision: number): StoredObject => ({
  ...object,
  metadata: { ...object.metadata, resourceVersion: String(revision) },
});

const obtain = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
};
