import type { KubeObject } from '../objects/index.ts';
import type { Cancel } from '../platform/index.ts';

/** A change of the cache, in the order in which it was applied. */
export type CacheChange<T extends KubeObject> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'updated'; readonly object: T; readonly previous: T }
  | { readonly type: 'deleted'; readonly object: T };

/** A local, read-only view of one resource, kept up to date by a watch, never behind this process's own writes. */
export interface WatchCache<T extends KubeObject> {
  start(): void;
  stop(): void;
  /** Resolves when the first complete list is in. */
  whenSynced(): Promise<void>;
  hasSynced(): boolean;
  /** Resolves when the cache has reached this resourceVersion (compared as BigInt). */
  whenReached(resourceVersion: string): Promise<void>;
  /** By `namespace/name`. */
  get(key: string): T | undefined;
  list(): readonly T[];
  /** Objects for which the named indexer returned this value, in no order. */
  byIndex(index: string, value: string): readonly T[];
  /** Handlers only enqueue; what they throw is counted and logged, never lost and never fatal. */
  onChange(handler: (change: CacheChange<T>) => void): Cancel;
  /**
   * Takes in the answer of an own create, update or patch, so that the next decision sees it. An answer older than
   * what is cached changes nothing.
   */
  observeWritten(object: T): void;
  /**
   * Takes in an own delete. `answer` is the terminating object where deletion is deferred; without it the object
   * disappears at once. The UID leaves a tombstone until the watch shows its end, so a late event cannot revive it.
   */
  observeDeleted(key: string, uid: string, answer?: T): void;
}
