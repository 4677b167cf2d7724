import {
  apiVersionOf,
  type CacheChange,
  createClient,
  createWatchCache,
  createWorkQueue,
  isApiError,
  type Log,
  type Resource,
  resources,
  type WatchCache,
} from '../../kube/index.ts';
import { type KubeObject, type ObjectRef, type OwnerReference, refOf, uidOf } from '../../objects/index.ts';
import type { Platform, Transport } from '../../platform/index.ts';
import { discover } from './discover.ts';
import { judge } from './garbage-verdict.ts';
import { createOwnershipGraph, type GraphNode, ownersOf } from './ownership-graph.ts';

export interface GarbageCollectorOptions {
  readonly platform: Platform;
  readonly transport: Transport;
  readonly log?: Log | undefined;
  /** How long it waits before it looks at an object that may be garbage. Default 0. */
  readonly delayMs?: number | undefined;
}

export interface GarbageCollector {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Objects looked at at the same time, as in kube-controller-manager. */
const concurrency = 20;

/**
 * Deletes what has lost its owners, and carries out foreground and orphan deletion. An ordinary API client: it follows
 * the metadata of every kind there is, and looks for new kinds when a CustomResourceDefinition changes. Every delete
 * names the UID and resourceVersion it was decided on.
 */
export const createGarbageCollector = (options: GarbageCollectorOptions): GarbageCollector => {
  const { platform, transport, log, delayMs = 0 } = options;
  const client = createClient({ transport, platform, userAgent: 'generic-garbage-collector' });
  const graph = createOwnershipGraph();
  const caches = new Map<string, { readonly resource: Resource<KubeObject>; readonly cache: WatchCache<KubeObject> }>();
  const definitions = createWatchCache({ client, resource: resources.customresourcedefinitions, platform, log });
  /** Keys are UIDs, or `discover`. */
  const queue = createWorkQueue({ platform, log });
  let stopQueue: () => Promise<void> = async () => undefined;

  const look = (uid: string): void => {
    if (delayMs > 0) queue.addAfter(uid, delayMs);
    else queue.add(uid);
  };

  const onChange = (resource: Resource<KubeObject>, change: CacheChange<KubeObject>): void => {
    if (change.type === 'deleted') {
      vanished(change.object);
      return;
    }
    if (change.type === 'updated' && uidOf(change.previous) !== uidOf(change.object)) vanished(change.previous);
    const node: GraphNode = { object: change.object, resource };
    const before = ownersOf(graph.get(uidOf(change.object)));
    graph.put(node);
    // An owner on its way out may have waited for this one to let go.
    for (const owner of before) if (!lives(owner)) look(owner.uid);
    const isMarked = change.object.metadata.deletionTimestamp !== undefined;
    if (isMarked || ownersOf(node).some((owner) => !lives(owner))) look(uidOf(change.object));
  };

  /** An owner that nothing has to be done about. */
  const lives = (owner: OwnerReference): boolean =>
    graph.get(owner.uid)?.object.metadata.deletionTimestamp === undefined && graph.get(owner.uid) !== undefined;

  const vanished = (object: KubeObject): void => {
    const uid = uidOf(object);
    const owners = ownersOf(graph.get(uid));
    graph.remove(uid);
    for (const dependent of graph.dependentsOf(uid)) look(uidOf(dependent.object));
    for (const owner of owners) if (!lives(owner)) look(owner.uid);
  };

  const handle = async (uid: string): Promise<void> => {
    if (uid === 'discover') return followKinds();
    const node = graph.get(uid);
    if (node === undefined) return;
    const unknown = ownersOf(node).filter((owner) => graph.get(owner.uid) === undefined);
    const absent = new Set<string>();
    for (const owner of unknown) if (await isAbsent(node.object, owner)) absent.add(owner.uid);
    const verdict = judge(node, graph, (owner) => absent.has(owner.uid));
    const ref = refOf(node.object);
    switch (verdict.do) {
      case 'nothing':
        return;
      case 'delete':
        return remove(node, verdict.policy);
      case 'release':
        return release(node, new Set(verdict.from));
      case 'wait-for':
        for (const dependent of verdict.dependents) look(uidOf(dependent.object));
        return;
      case 'orphan':
        for (const dependent of verdict.dependents) await release(dependent, new Set([uid]));
        look(uid);
        return;
      case 'unblock': {
        const finalizers = (node.object.metadata.finalizers ?? []).filter((name) => name !== verdict.finalizer);
        return patch(node, ref, { finalizers: orNull(finalizers) });
      }
    }
  };

  const remove = async (node: GraphNode, propagationPolicy: 'Background' | 'Foreground' | 'Orphan'): Promise<void> => {
    const { resourceVersion } = node.object.metadata;
    const request = { uid: uidOf(node.object), resourceVersion, propagationPolicy };
    await tolerate(node, () => client.delete(node.resource, refOf(node.object), request));
  };

  const release = (node: GraphNode, from: ReadonlySet<string>): Promise<void> => {
    const left = ownersOf(node).filter((owner) => !from.has(owner.uid));
    return patch(node, refOf(node.object), { ownerReferences: orNull(left) });
  };

  const patch = (node: GraphNode, ref: ObjectRef, change: Readonly<Record<string, unknown>>): Promise<void> => {
    const { uid, resourceVersion } = node.object.metadata;
    const body = { metadata: { uid, resourceVersion, ...change } };
    return tolerate(node, async () => {
      const written = await client.patch(node.resource, ref, { type: 'merge', body });
      caches.get(keyOf(node.resource))?.cache.observeWritten(written);
    });
  };

  /** Gone is what was wanted. A conflict means a newer state, which the watch brings and which is looked at again. */
  const tolerate = async (node: GraphNode, write: () => Promise<unknown>): Promise<void> => {
    try {
      await write();
    } catch (error) {
      if (isApiError(error, 'not-found')) return;
      if (!isApiError(error, 'conflict')) throw error;
      queue.addRateLimited(uidOf(node.object));
    }
  };

  /** Asks the API server itself: the graph may be behind, or may not follow that kind. */
  const isAbsent = async (dependent: KubeObject, owner: OwnerReference): Promise<boolean> => {
    const kind = [...caches.values()].find(
      ({ resource }) => apiVersionOf(resource) === owner.apiVersion && resource.kind === owner.kind,
    );
    if (kind === undefined) return false;
    const namespace = kind.resource.namespaced ? dependent.metadata.namespace : undefined;
    // An object of the cluster cannot be owned by one of a namespace; nobody knows which namespace is meant.
    if (kind.resource.namespaced && namespace === undefined) return false;
    try {
      const found = await client.get(kind.resource, { namespace, name: owner.name });
      return uidOf(found) !== owner.uid;
    } catch (error) {
      if (isApiError(error, 'not-found')) return true;
      throw error;
    }
  };

  const followKinds = async (): Promise<void> => {
    const found = (await discover(client)).filter(({ kind }) => kind !== 'Event');
    const keys = new Set(found.map(keyOf));
    for (const [key, { cache }] of caches) {
      if (keys.has(key)) continue;
      cache.stop();
      for (const object of cache.list()) vanished(object);
      caches.delete(key);
    }
    const added = found.filter((resource) => !caches.has(keyOf(resource)));
    const follow = (resource: Resource<KubeObject>): Promise<void> => {
      const cache = createWatchCache({ client, resource, platform, log, transform: metadataOnly });
      caches.set(keyOf(resource), { resource, cache });
      cache.onChange((change) => onChange(resource, change));
      cache.start();
      return cache.whenSynced();
    };
    await Promise.all(added.map(follow));
    // Owners of a kind that was unknown until now can be judged from now on.
    for (const { cache } of caches.values()) {
      for (const object of cache.list())
        if (ownersOf(graph.get(uidOf(object))).some((owner) => !lives(owner))) look(uidOf(object));
    }
  };

  return {
    start: async () => {
      definitions.onChange((change) => {
        if (change.type !== 'updated' || change.previous.status !== change.object.status) queue.add('discover');
      });
      definitions.start();
      await definitions.whenSynced();
      await followKinds();
      stopQueue = queue.run(concurrency, handle);
    },
    stop: async () => {
      await stopQueue();
      definitions.stop();
      for (const { cache } of caches.values()) cache.stop();
    },
  };
};

const keyOf = (resource: Resource<KubeObject>): string => `${apiVersionOf(resource)}/${resource.plural}`;

const metadataOnly = (object: KubeObject): KubeObject => ({
  apiVersion: object.apiVersion,
  kind: object.kind,
  metadata: object.metadata,
});

/** A field without entries is taken out. */
const orNull = <T>(list: readonly T[]): readonly T[] | null => (list.length === 0 ? null : list);
