import { nameLabel } from '../api/index.ts';
import { createWatchCache, type KubeClient, type Log, type Resource, resources } from '../kube/index.ts';
import type { KubeObject } from '../objects/index.ts';
import type { Platform } from '../platform/index.ts';
import { type CacheSet, childIndexes } from './caches.ts';
import { createOptionalCache } from './optional-cache.ts';
import { leaderWorkerSets, modelServings, podGroups } from './resources.ts';

export interface CacheOptions {
  readonly client: KubeClient;
  readonly platform: Platform;
  readonly log: Log;
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  /** Freezes what is cached, to catch whoever changes it. For tests. */
  readonly freeze?: boolean | undefined;
}

/** Creates the caches, not started yet. Children are watched by the existence of the name label. */
export const openCaches = (options: CacheOptions): CacheSet => {
  const children = {
    ...options,
    labelSelector: nameLabel,
    selects: (object: KubeObject) => object.metadata.labels?.[nameLabel] !== undefined,
    indexers: childIndexes,
  };
  return {
    modelservings: createWatchCache({ ...options, resource: modelServings }),
    pods: createWatchCache({ ...children, resource: resources.pods }),
    services: createWatchCache({ ...children, resource: resources.services }),
    controllerrevisions: createWatchCache({ ...children, resource: resources.controllerrevisions }),
    podgroups: createOptionalCache({ ...children, resource: podGroups }),
    leaderworkersets: createOptionalCache({ ...options, resource: leaderWorkerSets }),
  };
};

/** What is watched, in the order of `allOf`. */
const watched: readonly Resource<KubeObject>[] = [
  modelServings,
  resources.pods,
  resources.services,
  resources.controllerrevisions,
];

const allOf = (caches: CacheSet) => [caches.modelservings, caches.pods, caches.services, caches.controllerrevisions];

/** Kinds that the cluster may have or not. */
const optionalOf = (caches: CacheSet) => [caches.podgroups, caches.leaderworkersets];

/** Finds out which of the optional kinds are there. @throws ApiError where the API server cannot be asked */
export const learnKinds = async (caches: CacheSet): Promise<void> => {
  await Promise.all(optionalOf(caches).map((cache) => cache.learn()));
};

export const startCaches = (caches: CacheSet): void => {
  for (const cache of [...allOf(caches), ...optionalOf(caches)]) cache.start();
};

export const stopCaches = (caches: CacheSet): void => {
  for (const cache of [...allOf(caches), ...optionalOf(caches)]) cache.stop();
};

/** By resource: milliseconds since its watch last heard anything. A dead connection shows as a number that grows. */
export const silenceOf = (caches: CacheSet): ReadonlyMap<string, number> =>
  new Map(
    allOf(caches).flatMap((cache, index) => {
      const { silentMs } = cache.stats();
      return silentMs === undefined ? [] : [[watched[index]?.plural ?? '', silentMs] as const];
    }),
  );

/**
 * The current resourceVersion of every watched resource, from the API server itself: a consistent list of one object.
 * A new leader reads it before its first decision and lets its caches catch up with it; else one that lags behind the
 * last writes of the old leader could take a second unit down.
 *
 * @throws ApiError where a list fails
 */
export const currentVersions = (client: KubeClient, namespace: string | undefined): Promise<readonly string[]> =>
  Promise.all(
    watched.map(async (resource) => (await client.list<KubeObject>(resource, { namespace, limit: 1 })).resourceVersion),
  );

/** Resolves when every cache shows a state at least as new as these versions of `currentVersions`. */
export const catchUp = async (caches: CacheSet, versions: readonly string[]): Promise<void> => {
  await Promise.all(allOf(caches).map((cache, index) => cache.whenReached(versions[index] ?? '0')));
};
