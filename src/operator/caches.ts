import { type ModelServing, nameLabel } from '../api/index.ts';
import type { ObservedWatchCache, WatchCache } from '../kube/index.ts';
import type { LeaderWorkerSet } from '../lws/index.ts';
import {
  type ControllerRevision,
  controllerOf,
  type KubeObject,
  keyOf,
  nameOf,
  type Pod,
  refOf,
  type Service,
  uidOf,
} from '../objects/index.ts';
import type { Children, PodGroup, PodGroupsView } from '../rollout/index.ts';
import type { OptionalCache } from './optional-cache.ts';

/** The indexes of every child cache. */
export const childIndexes = {
  /** By the UID of the controlling owner. */
  owner: (object: KubeObject): readonly string[] => {
    const owner = controllerOf(object);
    return owner === undefined ? [] : [owner.uid];
  },
  /** By `namespace/name` of the ModelServing that the name label names. */
  name: (object: KubeObject): readonly string[] => {
    const name = object.metadata.labels?.[nameLabel];
    return name === undefined ? [] : [keyOf({ namespace: object.metadata.namespace, name })];
  },
};

/** One watch cache for every resource that decisions look at. */
export interface CacheSet {
  readonly modelservings: ObservedWatchCache<ModelServing>;
  readonly pods: ObservedWatchCache<Pod>;
  readonly services: ObservedWatchCache<Service>;
  readonly controllerrevisions: ObservedWatchCache<ControllerRevision>;
  readonly podgroups: OptionalCache<PodGroup>;
  readonly leaderworkersets: OptionalCache<LeaderWorkerSet>;
}

export type CachedResource = Exclude<keyof CacheSet, 'leaderworkersets'>;

/** Where the answers to own requests go, before the next decision for the key. */
export interface CacheWriter {
  /** An object as the API server has it now. False where it lacks our label, so that the watch would not show it. */
  written(resource: CachedResource, object: KubeObject): boolean;
  /** The object of this UID is going (the answer says how far) or, without an answer, gone. */
  deleted(resource: CachedResource, which: { readonly key: string; readonly uid: string }, answer?: KubeObject): void;
}

export const cacheWriter = (caches: CacheSet): CacheWriter => ({
  written: (resource, object) => {
    if (resource !== 'modelservings' && object.metadata.labels?.[nameLabel] === undefined) return false;
    cacheOf(caches, resource).observeWritten(object);
    return true;
  },
  deleted: (resource, { key, uid }, answer) => {
    cacheOf(caches, resource).observeDeleted(key, uid, answer);
  },
});

/** The cache of a resource by its name; the name decides the type of what goes in. */
export const cacheOf = (
  caches: CacheSet,
  resource: CachedResource,
): Pick<WatchCache<KubeObject>, 'get' | 'observeWritten' | 'observeDeleted'> =>
  // A WatchCache<Pod> takes Pods alone, and only answers of requests for Pods come here.
  caches[resource] as unknown as WatchCache<KubeObject>;

/** Everything the caches hold that this ModelServing controls or that carries its name. */
export const childrenOf = (caches: CacheSet, modelServing: ModelServing): Children => {
  const pick = <T extends KubeObject>(cache: Pick<WatchCache<T>, 'byIndex'>): readonly T[] => {
    const { namespace } = modelServing.metadata;
    const found = new Map<string, T>();
    for (const object of cache.byIndex('owner', uidOf(modelServing))) found.set(nameOf(object), object);
    for (const object of cache.byIndex('name', keyOf(refOf(modelServing)))) found.set(nameOf(object), object);
    return [...found.values()]
      .filter((object) => object.metadata.namespace === namespace)
      .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  };
  return {
    pods: pick(caches.pods),
    services: pick(caches.services),
    controllerRevisions: pick(caches.controllerrevisions),
    podGroups: podGroupsOf(caches.podgroups, () => pick(caches.podgroups)),
  };
};

const podGroupsOf = (cache: OptionalCache<PodGroup>, list: () => readonly PodGroup[]): PodGroupsView => {
  const schema = cache.schema();
  if (schema === undefined) return { state: 'not-installed' };
  return cache.hasSynced() ? { state: 'known', schema, objects: list() } : { state: 'unknown' };
};

/** The keys of the ModelServings that an object concerns: its controlling owner's and the one its label names. */
export const keysOf = (object: KubeObject): readonly string[] => {
  const owner = controllerOf(object);
  const byOwner =
    owner?.kind === 'ModelServing' ? [keyOf({ namespace: object.metadata.namespace, name: owner.name })] : [];
  return [...new Set([...byOwner, ...childIndexes.name(object)])];
};
