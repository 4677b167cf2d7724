import {
  createClient,
  createWatchCache,
  type ObservedWatchCache,
  resources,
  type WatchCacheOptions,
} from '../../src/kube/index.ts';
import type { Pod } from '../../src/objects/index.ts';
import { createVirtualPlatform, type VirtualPlatform } from '../../src/simulation/index.ts';
import { failure } from './client-bench.ts';
import { createScriptedTransport, type ScriptedExchange, type ScriptedTransport } from './scripted-transport.ts';

export const aPod = (name: string, resourceVersion: number, uid: string = `uid-of-${name}`): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'ns', name, uid, resourceVersion: String(resourceVersion), labels: { app: 'x' } },
  spec: { containers: [], nodeName: `node-of-${name}` },
});

export const event = (type: string, object: object): object => ({ type, object });

export const bookmark = (resourceVersion: number, annotations?: Record<string, string>): object =>
  event('BOOKMARK', {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { resourceVersion: String(resourceVersion), annotations },
  });

export const endOfList = (resourceVersion: number): object =>
  bookmark(resourceVersion, { 'k8s.io/initial-events-end': 'true' });

/** A cache of Pods in virtual time whose server is the test. */
export interface CacheBench {
  readonly machine: VirtualPlatform;
  readonly server: ScriptedTransport;
  readonly cache: ObservedWatchCache<Pod>;
  /** What handlers were told, as `updated a@11`. */
  readonly told: string[];
  /** Warnings and errors. */
  readonly logged: string[];
  settle(): Promise<void>;
  /** Lets it list through WatchList, with Pods `a` and `b` and resourceVersion 10, and go on watching. */
  synced(): Promise<ScriptedExchange>;
  /** Answers WatchList as a server that does not know it, then one page with the same; returns the watch after it. */
  syncedByPages(): Promise<ScriptedExchange>;
}

interface CacheBenchOptions extends Partial<WatchCacheOptions<Pod>> {
  readonly server?: ScriptedTransport;
}

export const createCacheBench = (options: CacheBenchOptions = {}): CacheBench => {
  const { server = createScriptedTransport(), ...cacheOptions } = options;
  const machine = createVirtualPlatform();
  const told: string[] = [];
  const logged: string[] = [];
  const note = (_: object, message: string): void => {
    logged.push(message);
  };
  const cache = createWatchCache<Pod>({
    client: createClient({ transport: server, platform: machine }),
    resource: resources.pods,
    platform: machine,
    log: { debug: () => undefined, info: note, warn: note, error: note },
    indexers: { node: (pod) => (pod.spec?.nodeName ? [pod.spec.nodeName] : []) },
    freeze: true,
    ...cacheOptions,
  });
  cache.onChange(({ type, object }) => {
    told.push(`${type} ${object.metadata.name}@${object.metadata.resourceVersion}`);
  });
  const settle = (): Promise<void> => machine.advance(0);
  return {
    machine,
    server,
    cache,
    told,
    logged,
    settle,
    synced: async () => {
      cache.start();
      const stream = server.last();
      stream.head(200);
      for (const sent of [event('ADDED', aPod('a', 3)), event('ADDED', aPod('b', 5)), endOfList(10)]) stream.data(sent);
      await settle();
      told.length = 0;
      return stream;
    },
    syncedByPages: async () => {
      cache.start();
      server.last().answer(422, failure(422, 'Invalid'));
      await settle();
      server.last().answer(200, { metadata: { resourceVersion: '10' }, items: [aPod('a', 3), aPod('b', 5)] });
      await settle();
      told.length = 0;
      return server.last();
    },
  };
};
