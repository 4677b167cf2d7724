import { compileSelectorText, deepFreeze, type KubeObject } from '../objects/index.ts';
import type { Platform } from '../platform/index.ts';
import type { KubeClient } from './client-types.ts';
import { createIndexedStore, type Indexer } from './indexed-store.ts';
import { type Log, silentLog } from './log.ts';
import { createOwnWritesView } from './own-writes.ts';
import { createReflector, type ReflectorTarget, type Selection } from './reflector.ts';
import type { ReflectorState } from './reflector-state.ts';
import type { Resource } from './resource.ts';
import { compareVersions, hasReached } from './resource-version.ts';
import type { CacheChange, WatchCache } from './watch-cache-types.ts';

export interface WatchCacheOptions<T extends KubeObject> extends Selection {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  readonly platform: Platform;
  readonly log?: Log | undefined;
  /** By the name that `byIndex` uses. */
  readonly indexers?: Readonly<Record<string, Indexer<T>>> | undefined;
  /** Applied to every object before it is stored, for example to drop fields nobody reads. Must keep the metadata. */
  readonly transform?: ((object: T) => T) | undefined;
  /** Freezes every stored object, to any depth. As dear as parsing it, so for tests. */
  readonly freeze?: boolean | undefined;
}

/** Counters since the start and where the cache stands, to be read when metrics are collected. */
export interface WatchCacheStats {
  readonly state: ReflectorState['state'];
  readonly objects: number;
  readonly events: number;
  /** Complete lists, the first one included. */
  readonly lists: number;
  readonly handlerErrors: number;
  /** Own writes and deletes that the watch has not shown yet. */
  readonly pendingWrites: number;
  readonly resourceVersion: string | undefined;
  /** Milliseconds since the API server last said anything, a bookmark included; undefined before the first list. */
  readonly silentMs: number | undefined;
}

export interface ObservedWatchCache<T extends KubeObject> extends WatchCache<T> {
  stats(): WatchCacheStats;
}

interface Waiter {
  readonly resourceVersion: string | undefined;
  readonly resolve: () => void;
}

/**
 * resourceVersions count over all resources, so a version of another resource may lie beyond the last event of this one.
 * A watch that is quiet tells how far it is once a minute (a bookmark); who waits for it longer than this gets a list,
 * which tells at once.
 */
const patienceMs = 2000;

/**
 * A watch cache. Handlers see only what changes after they are registered, so register them before `start`. After
 * `stop` it shows what it last knew, and promises that still wait stay pending.
 */
export const createWatchCache = <T extends KubeObject>(options: WatchCacheOptions<T>): ObservedWatchCache<T> => {
  const log = options.log ?? silentLog;
  const store = createIndexedStore<T>(options.indexers);
  const handlers = new Set<(change: CacheChange<T>) => void>();
  let waiters: Waiter[] = [];
  let isImpatient = false;
  let events = 0;
  let lists = 0;
  let handlerErrors = 0;
  let heardAt: number | undefined;

  const hear = (): void => {
    heardAt = options.platform.clock.monotonic();
  };

  const emit = (change: CacheChange<T>): void => {
    for (const handler of handlers) {
      try {
        handler(change);
      } catch (err) {
        handlerErrors++;
        const fields = {
          err,
          resource: options.resource.plural,
          change: change.type,
          name: change.object.metadata.name,
        };
        log.error(fields, 'a handler of a cache failed; the others go on');
      }
    }
  };

  const view = createOwnWritesView<T>({ store, emit, selects: selectionPredicate(options) });

  const prepare = (object: T): T => {
    const prepared = options.transform === undefined ? object : options.transform(object);
    return options.freeze === true ? deepFreeze(prepared) : prepared;
  };

  const wakeWaiters = (): void => {
    if (waiters.length === 0) return;
    const isDue = ({ resourceVersion }: Waiter): boolean =>
      view.reached() !== undefined && (resourceVersion === undefined || hasReached(view.reached(), resourceVersion));
    const due = waiters.filter(isDue);
    waiters = waiters.filter((waiter) => !isDue(waiter));
    for (const waiter of due) waiter.resolve();
  };

  // One timer for all who wait. Each list that does not help doubles the patience.
  const beImpatient = (afterMs: number): void => {
    if (waiters.length === 0 || isImpatient) return;
    isImpatient = true;
    const lookAgain = (): void => {
      isImpatient = false;
      if (waiters.length > 0) reflector.relist();
      beImpatient(afterMs * 2);
    };
    options.platform.timers.after(afterMs, lookAgain, { background: true });
  };

  const reach = (resourceVersion: string | undefined): Promise<void> =>
    new Promise((resolve) => {
      waiters.push({ resourceVersion, resolve });
      wakeWaiters();
      beImpatient(patienceMs);
    });

  const target: ReflectorTarget<T> = {
    listBegan: view.listBegan,
    replace(items, resourceVersion, mark) {
      hear();
      lists++;
      const before = view.reached();
      if (before !== undefined && compareVersions(resourceVersion, before) < 0) {
        log.warn(
          { resource: options.resource.plural, before, resourceVersion },
          'the API server counts from an earlier resourceVersion than before, as after a restore of its storage',
        );
      }
      view.replace(items.map(prepare), resourceVersion, mark);
      wakeWaiters();
    },
    apply(type, object) {
      hear();
      events++;
      view.apply(type, prepare(object));
      wakeWaiters();
    },
    progress(resourceVersion) {
      hear();
      view.progress(resourceVersion);
      wakeWaiters();
    },
  };

  const reflector = createReflector<T>({
    client: options.client,
    resource: options.resource,
    platform: options.platform,
    selection: {
      namespace: options.namespace,
      labelSelector: options.labelSelector,
      fieldSelector: options.fieldSelector,
    },
    log,
    target,
  });

  return {
    start: reflector.start,
    stop: () => {
      reflector.stop();
      waiters = [];
    },
    hasSynced: () => view.reached() !== undefined,
    whenSynced: () => reach(undefined),
    whenReached: reach,
    get: store.get,
    list: store.list,
    byIndex: store.byIndex,
    onChange(handler) {
      // A wrapper of its own, so that one function registered twice is two handlers.
      const own = (change: CacheChange<T>): void => handler(change);
      handlers.add(own);
      return () => {
        handlers.delete(own);
      };
    },
    observeWritten(object) {
      view.written(prepare(withoutManagedFields(object)));
    },
    observeDeleted(key, uid, answer) {
      view.deleted(key, uid, answer === undefined ? undefined : prepare(withoutManagedFields(answer)));
    },
    stats: () => ({
      state: reflector.state(),
      objects: store.size,
      events,
      lists,
      handlerErrors,
      pendingWrites: view.pending(),
      resourceVersion: view.reached(),
      silentMs: heardAt === undefined ? undefined : options.platform.clock.monotonic() - heardAt,
    }),
  };
};

/** A copy without managedFields: the answer of a write belongs to the caller. */
const withoutManagedFields = <T extends KubeObject>(object: T): T => {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
};

/** Whether the watch would show an object. Field selectors are left out: what they exclude the watch corrects. */
const selectionPredicate = (selection: Selection): ((object: KubeObject) => boolean) => {
  const matches = compileSelectorText(selection.labelSelector ?? '');
  return ({ metadata }) =>
    matches(metadata.labels) && (selection.namespace === undefined || metadata.namespace === selection.namespace);
};
