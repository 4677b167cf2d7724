import { type KubeObject, keyOf, refOf, resourceVersionOf, uidOf } from '../objects/index.ts';
import type { IndexedStore } from './indexed-store.ts';
import { compareVersions, hasReached } from './resource-version.ts';
import type { CacheChange } from './watch-cache-types.ts';

/** What a cache shows: what the server told, with this process's own writes on top until the server has told those too. */
export interface OwnWritesView<T extends KubeObject> {
  /** Says that a list is being asked for, and returns the mark that `replace` wants back. */
  listBegan(): number;
  /** A complete list as of `resourceVersion`, asked for when `listBegan` returned `mark`. */
  replace(items: readonly T[], resourceVersion: string, mark: number): void;
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void;
  /** A bookmark: everything up to this resourceVersion has been told. */
  progress(resourceVersion: string): void;
  written(object: T): void;
  deleted(key: string, uid: string, answer?: T): void;
  /** Everything up to here is in; undefined before the first list. */
  reached(): string | undefined;
  /** Own writes and deletes that the server has not shown yet. */
  pending(): number;
}

interface OwnWritesOptions<T extends KubeObject> {
  readonly store: IndexedStore<T>;
  /** Called after the store has changed; for a list, after all of it has. */
  readonly emit: (change: CacheChange<T>) => void;
  /** Whether the watch would show such an object. Default: it shows every one. */
  readonly selects?: ((object: T) => boolean) | undefined;
}

/** An own write that the watch has not reached. */
interface Ahead {
  readonly resourceVersion: string;
  /** The newest list that had begun when the answer came in: every later one contains the write. */
  readonly mark: number;
}

/** A UID that must not come back. */
interface Tombstone {
  readonly mark: number;
  /** Set where the object only left the selector: from here on the watch tells the truth about it again. */
  readonly until?: string | undefined;
}

/** Beyond so many ends between a delete and its answer a tombstone stays until the next list, which hurts nobody. */
const rememberedEnds = 1000;

/**
 * Two orders decide. Between a write and the watch it is the resourceVersion: an answer counts only while the watch
 * has not passed it (past it, an object that is missing here is gone), and an event counts only if it is newer than
 * what is shown. Between a write and a list it is real time: lists are read consistently, so one that was asked for
 * after an answer came in contains it, whatever the numbers say; that also holds when a restored etcd counts anew.
 */
export const createOwnWritesView = <T extends KubeObject>(options: OwnWritesOptions<T>): OwnWritesView<T> => {
  const { store, emit } = options;
  const selects = options.selects ?? (() => true);
  // By key. The store shows exactly this resourceVersion of each of these objects.
  const ahead = new Map<string, Ahead>();
  // By UID. The store shows none of these objects.
  const tombstones = new Map<string, Tombstone>();
  let reached: string | undefined;
  let begun = 0;
  // UIDs whose end was told lately, oldest first; none is in the store: a delete that is answered after its end needs no tombstone.
  const ended = new Set<string>();

  const put = (key: string, object: T, changes: (change: CacheChange<T>) => void): void => {
    const previous = store.get(key);
    store.set(key, object);
    ended.delete(uidOf(object)); // it had only left the selector
    if (previous === undefined) changes({ type: 'added', object });
    else if (uidOf(previous) === uidOf(object)) changes({ type: 'updated', object, previous });
    else {
      // Deleted and created again under one name, seen as a single step: two objects all the same.
      changes({ type: 'deleted', object: previous });
      changes({ type: 'added', object });
    }
  };

  const remove = (key: string, object: T, changes: (change: CacheChange<T>) => void): void => {
    store.delete(key);
    ahead.delete(key);
    changes({ type: 'deleted', object });
  };

  const noteEnd = (uid: string): void => {
    tombstones.delete(uid);
    ended.add(uid);
    if (ended.size <= rememberedEnds) return;
    const [oldest] = ended;
    if (oldest !== undefined) ended.delete(oldest);
  };

  const replace = (items: readonly T[], resourceVersion: string, mark: number): void => {
    const changes: CacheChange<T>[] = [];
    const note = (change: CacheChange<T>): void => {
      changes.push(change);
    };
    for (const [uid, stone] of tombstones) if (stone.mark < mark) tombstones.delete(uid);
    for (const [key, write] of ahead) {
      if (write.mark < mark || hasReached(resourceVersion, write.resourceVersion)) ahead.delete(key);
    }
    const listed = new Set<string>();
    for (const item of items) {
      if (tombstones.has(uidOf(item))) continue;
      const key = keyOf(refOf(item));
      listed.add(key);
      if (ahead.has(key)) continue;
      const shown = store.get(key);
      const same = shown !== undefined && uidOf(shown) === uidOf(item);
      if (!same || resourceVersionOf(shown) !== resourceVersionOf(item)) put(key, item, note);
    }
    for (const key of [...store.keys()]) {
      const shown = store.get(key);
      if (shown === undefined || listed.has(key) || ahead.has(key)) continue;
      noteEnd(uidOf(shown));
      remove(key, shown, note);
    }
    reached = resourceVersion;
    for (const change of changes) emit(change);
  };

  const applyEnd = (key: string, object: T): void => {
    noteEnd(uidOf(object));
    const shown = store.get(key);
    if (shown === undefined || uidOf(shown) !== uidOf(object)) return;
    // Newer than its end: it has left the selector and an own write has brought it back since.
    if (compareVersions(resourceVersionOf(shown), resourceVersionOf(object)) > 0) return;
    remove(key, object, emit);
  };

  const applyState = (key: string, object: T): void => {
    const resourceVersion = resourceVersionOf(object);
    const stone = tombstones.get(uidOf(object));
    if (stone !== undefined) {
      if (stone.until === undefined || compareVersions(resourceVersion, stone.until) < 0) return;
      tombstones.delete(uidOf(object));
    }
    const shown = store.get(key);
    const difference = shown === undefined ? 1 : compareVersions(resourceVersion, resourceVersionOf(shown));
    if (difference >= 0) ahead.delete(key);
    if (difference > 0) put(key, object, emit);
  };

  const written = (object: T): void => {
    const key = keyOf(refOf(object));
    const uid = uidOf(object);
    const resourceVersion = resourceVersionOf(object);
    if (tombstones.has(uid) || hasReached(reached, resourceVersion)) return;
    const shown = store.get(key);
    if (shown !== undefined && compareVersions(resourceVersionOf(shown), resourceVersion) >= 0) return;
    if (selects(object)) {
      put(key, object, emit);
      ahead.set(key, { resourceVersion, mark: begun });
    } else if (shown !== undefined && uidOf(shown) === uid) {
      remove(key, shown, emit);
      tombstones.set(uid, { mark: begun, until: resourceVersion });
    }
  };

  return {
    listBegan: () => ++begun,
    replace,
    apply(type, object) {
      // A replay of something that was told before: the store has it, or something newer.
      if (hasReached(reached, resourceVersionOf(object))) return;
      reached = resourceVersionOf(object);
      const key = keyOf(refOf(object));
      if (type === 'DELETED') applyEnd(key, object);
      else applyState(key, object);
    },
    progress(resourceVersion) {
      if (hasReached(reached, resourceVersion)) return;
      reached = resourceVersion;
      for (const [key, write] of ahead) {
        // The watch has passed this write and not shown it: it is outside of what the watch selects.
        if (!hasReached(reached, write.resourceVersion)) continue;
        const shown = store.get(key);
        ahead.delete(key);
        if (shown !== undefined) remove(key, shown, emit);
      }
    },
    written,
    deleted(key, uid, answer) {
      if (answer !== undefined) {
        written(answer);
        return;
      }
      const shown = store.get(key);
      const isShown = shown !== undefined && uidOf(shown) === uid;
      if (!ended.has(uid)) tombstones.set(uid, { mark: begun });
      if (isShown) remove(key, shown, emit);
    },
    reached: () => reached,
    pending: () => ahead.size + tombstones.size,
  };
};
