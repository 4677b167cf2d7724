import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWireServer, type WireExchange, type WireServer } from '../../test/support/wire-server.ts';
import type { ConfigMap } from '../objects/index.ts';
import { nodePlatform, nodeTransport, type Platform, type Transport } from '../platform/index.ts';
import { createVirtualPlatform, type VirtualPlatform } from '../simulation/index.ts';
import { createClient } from './client.ts';
import { resources } from './resources.ts';
import { createWatchCache, type ObservedWatchCache } from './watch-cache.ts';

const aConfigMap = (name: string, resourceVersion: number, text = 'x'): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'ns', name, uid: `uid-of-${name}`, resourceVersion: String(resourceVersion) },
  data: { text },
});

const line = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;
const bookmark = (version: number, annotations?: object): string =>
  line('BOOKMARK', { metadata: { resourceVersion: String(version), annotations } });
const endOfList = (version: number): string => bookmark(version, { 'k8s.io/initial-events-end': 'true' });

describe('over a real connection', () => {
  let server: WireServer;
  let transport: Transport;
  let caches: ObservedWatchCache<ConfigMap>[];

  beforeEach(async () => {
    server = await startWireServer();
    transport = nodeTransport({ server: server.url });
    caches = [];
  });
  afterEach(async () => {
    for (const cache of caches) cache.stop();
    await transport.close();
    await server.close();
  });

  const aCache = (platform: Platform): ObservedWatchCache<ConfigMap> => {
    const client = createClient({ transport, platform });
    const cache = createWatchCache({ client, platform, resource: resources.configmaps });
    caches.push(cache);
    cache.start();
    return cache;
  };

  const changed = (cache: ObservedWatchCache<ConfigMap>): Promise<string> =>
    new Promise((resolve) => {
      const stop = cache.onChange(({ type, object }) => {
        stop();
        resolve(`${type} ${object.metadata.name} ${object.data?.['text']}`);
      });
    });

  /** Lets the cache list, with one object at version 5 and the list at 10, and go on watching. */
  const synced = async (
    platform: Platform,
  ): Promise<{ readonly cache: ObservedWatchCache<ConfigMap>; readonly watch: WireExchange }> => {
    const cache = aCache(platform);
    const watch = await server.next();
    await watch.write(line('ADDED', aConfigMap('a', 5)) + endOfList(10));
    await cache.whenSynced();
    return { cache, watch };
  };

  /** Advances virtual time in small steps, giving the real socket a turn after each, until a request comes. */
  const nextWithin = async (machine: VirtualPlatform, limitMs: number): Promise<WireExchange> => {
    let arrived = false;
    const next = server.next().then((exchange) => {
      arrived = true;
      return exchange;
    });
    for (let spent = 0; spent < limitMs && !arrived; spent += 500) {
      await machine.advance(500);
      for (let turn = 0; turn < 20 && !arrived; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    return next;
  };

  it('reads an event that arrives one byte at a time, characters of four bytes included', async () => {
    const { cache, watch } = await synced(nodePlatform());
    const change = changed(cache);
    for (const byte of Buffer.from(line('MODIFIED', aConfigMap('a', 11, 'größer 🚀 "x\\"')))) {
      await watch.write(Uint8Array.of(byte));
    }
    expect(await change).toBe('updated a größer 🚀 "x\\"');
  });

  it('reads a hundred events in one piece, and one of 5 MB in many', async () => {
    const { cache, watch } = await synced(nodePlatform());
    await watch.write(Array.from({ length: 100 }, (_, i) => line('ADDED', aConfigMap(`c${i}`, 11 + i))).join(''));
    await cache.whenReached('110');
    expect(cache.list()).toHaveLength(101);
    const long = 'ä'.repeat(2_500_000);
    await watch.write(line('MODIFIED', aConfigMap('a', 200, long)));
    await cache.whenReached('200');
    expect(cache.get('ns/a')?.data?.['text']).toBe(long);
  });

  it('goes on where a connection was cut within an event', async () => {
    const { cache, watch } = await synced(nodePlatform());
    const seen = changed(cache);
    await watch.write(line('MODIFIED', aConfigMap('a', 11)) + line('MODIFIED', aConfigMap('a', 12)).slice(0, 40));
    await seen;
    watch.response.destroy();
    const again = await server.next();
    expect(again.query.get('resourceVersion')).toBe('11');
    await again.write(line('MODIFIED', aConfigMap('a', 12, 'whole')));
    await cache.whenReached('12');
    expect(cache.get('ns/a')?.data?.['text']).toBe('whole');
  });

  it.each([
    ['the HTTP status', (watch: WireExchange) => watch.answer(410, { kind: 'Status', code: 410, reason: 'Expired' })],
    [
      'an event',
      (watch: WireExchange) => watch.answer(200, line('ERROR', { kind: 'Status', code: 410, reason: 'Expired' })),
    ],
  ])('lists again when its version is gone, as %s says, and tells the differences', async (_, tell) => {
    const { cache, watch } = await synced(nodePlatform());
    watch.response.end();
    tell(await server.next());
    const list = await server.next();
    expect(list.query.get('sendInitialEvents')).toBe('true');
    const change = changed(cache);
    await list.write(endOfList(50));
    expect(await change).toBe('deleted a x');
  });

  it('reads Retry-After and asks again', async () => {
    const client = createClient({ transport, platform: nodePlatform() });
    const work = client.get(resources.configmaps, { namespace: 'ns', name: 'a' });
    (await server.next()).answer(429, { kind: 'Status', code: 429 }, { 'Retry-After': '0' });
    (await server.next()).answer(200, aConfigMap('a', 5));
    expect((await work).metadata.name).toBe('a');
    expect(server.count()).toBe(2);
  });

  it('notices that the other end is silently gone, and goes on where it was', async () => {
    const machine = createVirtualPlatform();
    const { watch } = await synced(machine);
    await watch.write(bookmark(30));
    const again = await nextWithin(machine, 1_000_000);
    expect(again.query.get('resourceVersion')).toBe('30');
    expect(machine.clock.monotonic()).toBeGreaterThanOrEqual(150_000);
    expect(machine.clock.monotonic()).toBeLessThan(160_000);
  });

  it('does not hammer a server that ends every watch at once', async () => {
    const machine = createVirtualPlatform();
    const { watch } = await synced(machine);
    let short = watch;
    for (let i = 0; i < 8; i++) {
      short.response.end();
      short = await nextWithin(machine, 60_000);
      short.response.writeHead(200).flushHeaders();
    }
    expect(machine.clock.monotonic()).toBeGreaterThan(4000);
  });
});
