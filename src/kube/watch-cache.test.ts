import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createScriptedTransport,
  type ScriptedExchange,
  type ScriptedTransport,
} from '../../test/support/scripted-transport.ts';
import type { Pod } from '../objects/index.ts';
import { createVirtualPlatform, type VirtualPlatform } from '../simulation/index.ts';
import { createClient } from './client.ts';
import { resources } from './resources.ts';
import { createWatchCache, type ObservedWatchCache } from './watch-cache.ts';

const aPod = (name: string, resourceVersion: number, uid = `uid-of-${name}`): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'ns', name, uid, resourceVersion: String(resourceVersion), labels: { app: 'x' } },
  spec: { containers: [], nodeName: `node-of-${name}` },
});

const event = (type: string, object: object): object => ({ type, object });
const bookmark = (resourceVersion: number, annotations?: Record<string, string>): object =>
  event('BOOKMARK', {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { resourceVersion: String(resourceVersion), annotations },
  });
const endOfList = (resourceVersion: number): object =>
  bookmark(resourceVersion, { 'k8s.io/initial-events-end': 'true' });
const failure = (code: number, reason: string): object => ({
  kind: 'Status',
  status: 'Failure',
  code,
  reason,
  message: reason,
});

describe('a watch cache', () => {
  let machine: VirtualPlatform;
  let server: ScriptedTransport;
  let cache: ObservedWatchCache<Pod>;
  let told: string[];
  let logged: string[];

  const create = (extra: object = {}): ObservedWatchCache<Pod> => {
    const log = (_: object, message: string): void => {
      logged.push(message);
    };
    return createWatchCache<Pod>({
      client: createClient({ transport: server, platform: machine }),
      resource: resources.pods,
      platform: machine,
      log: { debug: () => undefined, info: log, warn: log, error: log },
      indexers: { node: (pod) => (pod.spec?.nodeName ? [pod.spec.nodeName] : []) },
      freeze: true,
      ...extra,
    });
  };

  beforeEach(() => {
    machine = createVirtualPlatform();
    server = createScriptedTransport();
    told = [];
    logged = [];
    cache = create();
    cache.onChange(({ type, object }) => {
      told.push(`${type} ${object.metadata.name}@${object.metadata.resourceVersion}`);
    });
  });

  afterEach(() => cache.stop());

  const settle = (): Promise<void> => machine.advance(0);

  /** Lets it list through WatchList, with Pods `a` and `b` and resourceVersion 10, and go on watching. */
  const synced = async (): Promise<ScriptedExchange> => {
    cache.start();
    const stream = server.last();
    stream.head(200);
    for (const object of [event('ADDED', aPod('a', 3)), event('ADDED', aPod('b', 5)), endOfList(10)])
      stream.data(object);
    await settle();
    told.length = 0;
    return stream;
  };

  /** Answers WatchList as a server that does not know it, then one page. */
  const syncedByPages = async (): Promise<ScriptedExchange> => {
    cache.start();
    server.last().answer(422, failure(422, 'Invalid'));
    await settle();
    server.last().answer(200, { metadata: { resourceVersion: '10' }, items: [aPod('a', 3), aPod('b', 5)] });
    await settle();
    told.length = 0;
    return server.last();
  };

  describe('reading what is there', () => {
    it('asks for the list as a stream and shows nothing before its end mark', async () => {
      cache.start();
      const stream = server.last();
      expect(Object.fromEntries(stream.query)).toMatchObject({
        watch: 'true',
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: 'true',
      });
      expect(Number(stream.query.get('timeoutSeconds'))).toBeGreaterThanOrEqual(300);
      expect(Number(stream.query.get('timeoutSeconds'))).toBeLessThanOrEqual(600);
      stream.head(200);
      stream.data(event('ADDED', aPod('a', 3)));
      await settle();
      expect([cache.hasSynced(), cache.list(), told]).toEqual([false, [], []]);
      stream.data(endOfList(10));
      await cache.whenSynced();
      expect([cache.hasSynced(), told]).toEqual([true, ['added a@3']]);
    });

    it('follows the same stream afterwards', async () => {
      const stream = await synced();
      stream.data(event('MODIFIED', aPod('a', 11)));
      stream.data(event('DELETED', aPod('b', 12)));
      expect(told).toEqual(['updated a@11', 'deleted b@12']);
      expect(server.exchanges).toHaveLength(1);
    });

    it('falls back to pages where the server knows no streams, and watches from the version of the list', async () => {
      cache.start();
      server.last().answer(422, failure(422, 'Invalid'));
      await settle();
      const first = server.last();
      expect(Object.fromEntries(first.query)).toEqual({ limit: '500' });
      first.answer(200, { metadata: { resourceVersion: '10', continue: 'more' }, items: [aPod('a', 3)] });
      await settle();
      expect([cache.hasSynced(), server.last().query.get('continue')]).toEqual([false, 'more']);
      server.last().answer(200, { metadata: { resourceVersion: '10' }, items: [aPod('b', 5)] });
      await settle();
      expect(told).toEqual(['added a@3', 'added b@5']);
      expect(Object.fromEntries(server.last().query)).toMatchObject({ watch: 'true', resourceVersion: '10' });
    });

    it('asks for one big list when the pages expire on the way', async () => {
      cache.start();
      server.last().answer(422, failure(422, 'Invalid'));
      await settle();
      server.last().answer(200, { metadata: { resourceVersion: '10', continue: 'more' }, items: [aPod('a', 3)] });
      await settle();
      server.last().answer(410, failure(410, 'Expired'));
      await settle();
      expect([...server.last().query]).toEqual([]);
      server.last().answer(200, { metadata: { resourceVersion: '30' }, items: [aPod('c', 20)] });
      await settle();
      expect(told).toEqual(['added c@20']);
    });

    it('keeps showing the old list while a new one is read, then tells the differences alone', async () => {
      const stream = await synced();
      stream.data(event('ERROR', failure(410, 'Expired')));
      await settle();
      const again = server.last();
      expect(again.query.get('sendInitialEvents')).toBe('true');
      again.head(200);
      again.data(event('ADDED', aPod('b', 20)));
      expect(cache.list()).toHaveLength(2);
      again.data(endOfList(25));
      expect(told).toEqual(['updated b@20', 'deleted a@3']);
    });

    it('passes namespace and selectors on', () => {
      cache = create({ namespace: 'ns', labelSelector: 'app in (x, y)', fieldSelector: 'spec.nodeName=n1' });
      cache.start();
      expect(server.last().path).toBe('/api/v1/namespaces/ns/pods');
      expect(server.last().query.get('labelSelector')).toBe('app in (x, y)');
      expect(server.last().query.get('fieldSelector')).toBe('spec.nodeName=n1');
    });
  });

  describe('when a watch ends', () => {
    it('goes on from the last event or bookmark', async () => {
      const stream = await synced();
      stream.data(event('MODIFIED', aPod('a', 11)));
      await machine.advance(5000);
      stream.data(bookmark(40));
      stream.end();
      await settle();
      expect(server.last().query.get('resourceVersion')).toBe('40');
      expect(server.last().query.get('sendInitialEvents')).toBeNull();
    });

    it('goes on after a broken connection, later and later, at most 30 s apart', async () => {
      let stream = await synced();
      const gaps: number[] = [];
      for (let i = 0; i < 12; i++) {
        const brokeAt = machine.clock.monotonic();
        const before = server.exchanges.length;
        stream.end(new Error('ECONNRESET'));
        await machine.runUntil(() => server.exchanges.length > before, { timeoutMs: 60_000 });
        stream = server.last();
        stream.head(200);
        gaps.push(machine.clock.monotonic() - brokeAt);
      }
      gaps.forEach((gap, i) => {
        expect(gap).toBeLessThanOrEqual(Math.min(30_000, 800 * 2 ** i));
      });
      expect(Math.max(...gaps)).toBeGreaterThan(5000);
      expect(server.last().query.get('resourceVersion')).toBe('10');
    });

    it('starts small again after a healthy time', async () => {
      let stream = await synced();
      for (let i = 0; i < 8; i++) {
        const before = server.exchanges.length;
        stream.end(new Error('ECONNRESET'));
        await machine.runUntil(() => server.exchanges.length > before, { timeoutMs: 60_000 });
        stream = server.last();
        stream.head(200);
      }
      await machine.advance(31_000);
      const before = server.exchanges.length;
      stream.end(new Error('ECONNRESET'));
      await machine.advance(800);
      expect(server.exchanges.length).toBe(before + 1);
    });

    it('does not hammer a server that ends every watch at once without a word', async () => {
      let stream = await synced();
      for (let i = 0; i < 6; i++) {
        const before = server.exchanges.length;
        stream.head(200);
        stream.end();
        await machine.runUntil(() => server.exchanges.length > before, { timeoutMs: 60_000 });
        stream = server.last();
      }
      expect(machine.clock.monotonic()).toBeGreaterThan(2000);
      expect(server.exchanges.length).toBeLessThan(10);
    });

    it.each([
      ['as the HTTP status', (watch: ScriptedExchange): void => watch.answer(410, failure(410, 'Gone'))],
      [
        'as an event',
        (watch: ScriptedExchange): void => {
          watch.head(200);
          watch.data(event('ERROR', failure(410, 'Expired')));
        },
      ],
    ])('lists again at once when its version is gone, told %s', async (_, tell) => {
      tell(await syncedByPages());
      await settle();
      expect(Object.fromEntries(server.last().query)).toEqual({ limit: '500' });
    });

    it('waits between lists when every watch after them is gone', async () => {
      let watch = await syncedByPages();
      for (let i = 0; i < 8; i++) {
        const before = server.exchanges.length;
        watch.answer(410, failure(410, 'Gone'));
        await machine.runUntil(() => server.exchanges.length > before, { timeoutMs: 60_000 });
        server.last().answer(200, { metadata: { resourceVersion: '10' }, items: [] });
        await settle();
        watch = server.last();
      }
      expect(machine.clock.monotonic()).toBeGreaterThan(5000);
    });

    it('waits as long as the server asks for', async () => {
      const stream = await synced();
      stream.data(event('ERROR', { ...failure(429, 'TooManyRequests'), details: { retryAfterSeconds: 45 } }));
      await machine.advance(44_999);
      expect(server.exchanges).toHaveLength(1);
      await machine.advance(1);
      expect(server.exchanges).toHaveLength(2);
    });

    it('lists again when its version lies in the future of the server', async () => {
      const watch = await syncedByPages();
      watch.answer(504, failure(504, 'Timeout'));
      await machine.advance(1000);
      expect(Object.fromEntries(server.last().query)).toEqual({ limit: '500' });
    });

    it('lists again after a line that makes no sense', async () => {
      const stream = await synced();
      stream.data('{"type":"MODIFIED","object":{"kind":\n');
      await machine.advance(1000);
      expect(server.last().query.get('sendInitialEvents')).toBe('true');
    });
  });

  describe('when the other end is silently gone', () => {
    it('opens another watch 15 s after the server should have ended it', async () => {
      const stream = await synced();
      const seconds = Number(stream.query.get('timeoutSeconds'));
      await machine.advance((seconds + 15) * 1000 - 1);
      expect(server.exchanges).toHaveLength(1);
      await machine.advance(1);
      expect([server.exchanges.length, stream.isCancelled()]).toEqual([2, true]);
      expect(server.last().query.get('resourceVersion')).toBe('10');
    });

    it('notices within 150 s where the server had been sending bookmarks', async () => {
      const stream = await synced();
      await machine.advance(60_000);
      stream.data(bookmark(20));
      await machine.advance(149_999);
      expect(server.exchanges).toHaveLength(1);
      await machine.advance(1);
      expect(server.exchanges).toHaveLength(2);
      expect(server.last().query.get('resourceVersion')).toBe('20');
    });

    it('gives up on a watch that is not accepted within 30 s', async () => {
      await syncedByPages();
      const before = server.exchanges.length;
      await machine.advance(31_000);
      expect(server.exchanges.length).toBe(before + 1);
    });
  });

  describe('for its readers', () => {
    it('finds objects by key and by index, as they change', async () => {
      const stream = await synced();
      expect(cache.get('ns/a')?.metadata.resourceVersion).toBe('3');
      expect(cache.byIndex('node', 'node-of-a').map((pod) => pod.metadata.name)).toEqual(['a']);
      const moved = { ...aPod('a', 11), spec: { containers: [], nodeName: 'other' } };
      stream.data(event('MODIFIED', moved));
      expect(cache.byIndex('node', 'node-of-a')).toEqual([]);
      expect(cache.byIndex('node', 'other').map((pod) => pod.metadata.name)).toEqual(['a']);
      stream.data(event('DELETED', { ...moved, metadata: { ...moved.metadata, resourceVersion: '12' } }));
      expect(cache.byIndex('node', 'other')).toEqual([]);
      expect(() => cache.byIndex('nodes', 'other')).toThrow('no index named nodes');
    });

    it('says when it has reached a resourceVersion', async () => {
      const stream = await synced();
      const reached: string[] = [];
      for (const version of ['9', '11', '12']) void cache.whenReached(version).then(() => reached.push(version));
      await settle();
      expect(reached).toEqual(['9']);
      stream.data(event('MODIFIED', aPod('a', 11)));
      await settle();
      expect(reached).toEqual(['9', '11']);
      stream.data(bookmark(100));
      await settle();
      expect(reached).toEqual(['9', '11', '12']);
    });

    it('goes on when a handler throws, and counts and logs it', async () => {
      cache.onChange(() => {
        throw new Error('boom');
      });
      const after: string[] = [];
      cache.onChange(({ type }) => {
        after.push(type);
      });
      await synced();
      expect(after).toEqual(['added', 'added']);
      expect(cache.stats()).toMatchObject({ handlerErrors: 2, lists: 1, state: 'watching' });
      expect(logged).toEqual([
        'a handler of a cache failed; the others go on',
        'a handler of a cache failed; the others go on',
      ]);
    });

    it('shows no managedFields, whether they come from a list, a stream or an own write', async () => {
      const managed = (pod: Pod): Pod => ({ ...pod, metadata: { ...pod.metadata, managedFields: [{ manager: 'm' }] } });
      cache.start();
      server.last().answer(422, failure(422, 'Invalid'));
      await settle();
      server.last().answer(200, { metadata: { resourceVersion: '10' }, items: [managed(aPod('a', 3))] });
      await settle();
      server.last().head(200);
      server.last().data(event('ADDED', managed(aPod('b', 11))));
      cache.observeWritten(managed(aPod('c', 12)));
      expect(cache.list().map((pod) => 'managedFields' in pod.metadata)).toEqual([false, false, false]);
    });

    it('hides an own write that has left the label selector', async () => {
      cache = create({ labelSelector: 'app=x' });
      await synced();
      const pod = aPod('a', 12);
      cache.observeWritten({ ...pod, metadata: { ...pod.metadata, labels: { app: 'y' } } });
      expect(cache.get('ns/a')).toBeUndefined();
    });

    it('shows objects through the transform', async () => {
      cache = create({ transform: (pod: Pod): Pod => ({ ...pod, spec: { containers: [] } }) });
      await synced();
      expect(cache.list().map((pod) => pod.spec?.nodeName)).toEqual([undefined, undefined]);
    });

    it('hands out objects that nobody can change, in tests', async () => {
      await synced();
      const pod = cache.get('ns/a');
      expect(() => Object.assign(pod?.metadata ?? {}, { name: 'x' })).toThrow(TypeError);
    });

    it('does nothing any more after stop', async () => {
      const stream = await synced();
      cache.stop();
      expect(stream.isCancelled()).toBe(true);
      await machine.advance(3_600_000);
      expect(server.exchanges).toHaveLength(1);
      expect(cache.stats().state).toBe('stopped');
      expect(machine.pending()).toBe(0);
    });
  });
});
