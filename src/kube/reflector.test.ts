import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aPod, bookmark, type CacheBench, createCacheBench, endOfList, event } from '../../test/support/cache-bench.ts';
import { failure } from '../../test/support/client-bench.ts';
import type { ScriptedExchange } from '../../test/support/scripted-transport.ts';

describe('a reflector', () => {
  let bench: CacheBench;
  beforeEach(() => {
    bench = createCacheBench();
  });
  afterEach(() => bench.cache.stop());

  describe('reading what is there', () => {
    it('asks for the list as a stream and shows nothing before its end mark', async () => {
      bench.cache.start();
      const stream = bench.server.last();
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
      await bench.settle();
      expect([bench.cache.hasSynced(), bench.cache.list(), bench.told]).toEqual([false, [], []]);
      stream.data(endOfList(10));
      await bench.cache.whenSynced();
      expect([bench.cache.hasSynced(), bench.told]).toEqual([true, ['added a@3']]);
    });

    it('follows the same stream afterwards', async () => {
      const stream = await bench.synced();
      stream.data(event('MODIFIED', aPod('a', 11)));
      stream.data(event('DELETED', aPod('b', 12)));
      expect(bench.told).toEqual(['updated a@11', 'deleted b@12']);
      expect(bench.server.exchanges).toHaveLength(1);
    });

    it('falls back to pages where the server knows no streams, and watches from the version of the list', async () => {
      bench.cache.start();
      bench.server.last().answer(422, failure(422, 'Invalid'));
      await bench.settle();
      const first = bench.server.last();
      expect(Object.fromEntries(first.query)).toEqual({ limit: '500' });
      first.answer(200, { metadata: { resourceVersion: '10', continue: 'more' }, items: [aPod('a', 3)] });
      await bench.settle();
      expect([bench.cache.hasSynced(), bench.server.last().query.get('continue')]).toEqual([false, 'more']);
      bench.server.last().answer(200, { metadata: { resourceVersion: '10' }, items: [aPod('b', 5)] });
      await bench.settle();
      expect(bench.told).toEqual(['added a@3', 'added b@5']);
      expect(Object.fromEntries(bench.server.last().query)).toMatchObject({ watch: 'true', resourceVersion: '10' });
    });

    it('asks for one big list when the pages expire on the way', async () => {
      bench.cache.start();
      bench.server.last().answer(422, failure(422, 'Invalid'));
      await bench.settle();
      bench.server.last().answer(200, { metadata: { resourceVersion: '10', continue: 'more' }, items: [aPod('a', 3)] });
      await bench.settle();
      bench.server.last().answer(410, failure(410, 'Expired'));
      await bench.settle();
      expect([...bench.server.last().query]).toEqual([]);
      bench.server.last().answer(200, { metadata: { resourceVersion: '30' }, items: [aPod('c', 20)] });
      await bench.settle();
      expect(bench.told).toEqual(['added c@20']);
    });

    it('keeps showing the old list while a new one is read, then tells the differences alone', async () => {
      const stream = await bench.synced();
      stream.data(event('ERROR', failure(410, 'Expired')));
      await bench.settle();
      const again = bench.server.last();
      expect(again.query.get('sendInitialEvents')).toBe('true');
      again.head(200);
      again.data(event('ADDED', aPod('b', 20)));
      expect(bench.cache.list()).toHaveLength(2);
      again.data(endOfList(25));
      expect(bench.told).toEqual(['updated b@20', 'deleted a@3']);
    });

    it('passes namespace and selectors on', () => {
      bench = createCacheBench({ namespace: 'ns', labelSelector: 'app in (x, y)', fieldSelector: 'spec.nodeName=n1' });
      bench.cache.start();
      expect(bench.server.last().path).toBe('/api/v1/namespaces/ns/pods');
      expect(bench.server.last().query.get('labelSelector')).toBe('app in (x, y)');
      expect(bench.server.last().query.get('fieldSelector')).toBe('spec.nodeName=n1');
    });
  });

  describe('when a watch ends', () => {
    it('goes on from the last event or bookmark', async () => {
      const stream = await bench.synced();
      stream.data(event('MODIFIED', aPod('a', 11)));
      await bench.machine.advance(5000);
      stream.data(bookmark(40));
      stream.end();
      await bench.settle();
      expect(bench.server.last().query.get('resourceVersion')).toBe('40');
      expect(bench.server.last().query.get('sendInitialEvents')).toBeNull();
    });

    it('goes on after a broken connection, later and later, at most 30 s apart', async () => {
      let stream = await bench.synced();
      const gaps: number[] = [];
      for (let i = 0; i < 12; i++) {
        const brokeAt = bench.machine.clock.monotonic();
        const before = bench.server.exchanges.length;
        stream.end(new Error('ECONNRESET'));
        await bench.machine.runUntil(() => bench.server.exchanges.length > before, { timeoutMs: 60_000 });
        stream = bench.server.last();
        stream.head(200);
        gaps.push(bench.machine.clock.monotonic() - brokeAt);
      }
      gaps.forEach((gap, i) => {
        expect(gap).toBeLessThanOrEqual(Math.min(30_000, 800 * 2 ** i));
      });
      expect(Math.max(...gaps)).toBeGreaterThan(5000);
      expect(bench.server.last().query.get('resourceVersion')).toBe('10');
    });

    it('starts small again after a healthy time', async () => {
      let stream = await bench.synced();
      for (let i = 0; i < 8; i++) {
        const before = bench.server.exchanges.length;
        stream.end(new Error('ECONNRESET'));
        await bench.machine.runUntil(() => bench.server.exchanges.length > before, { timeoutMs: 60_000 });
        stream = bench.server.last();
        stream.head(200);
      }
      await bench.machine.advance(31_000);
      const before = bench.server.exchanges.length;
      stream.end(new Error('ECONNRESET'));
      await bench.machine.advance(800);
      expect(bench.server.exchanges.length).toBe(before + 1);
    });

    it('does not hammer a server that ends every watch at once without a word', async () => {
      let stream = await bench.synced();
      for (let i = 0; i < 6; i++) {
        const before = bench.server.exchanges.length;
        stream.head(200);
        stream.end();
        await bench.machine.runUntil(() => bench.server.exchanges.length > before, { timeoutMs: 60_000 });
        stream = bench.server.last();
      }
      expect(bench.machine.clock.monotonic()).toBeGreaterThan(2000);
      expect(bench.server.exchanges.length).toBeLessThan(10);
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
      tell(await bench.syncedByPages());
      await bench.settle();
      expect(Object.fromEntries(bench.server.last().query)).toEqual({ limit: '500' });
    });

    it('waits between lists when every watch after them is gone', async () => {
      let watch = await bench.syncedByPages();
      for (let i = 0; i < 8; i++) {
        const before = bench.server.exchanges.length;
        watch.answer(410, failure(410, 'Gone'));
        await bench.machine.runUntil(() => bench.server.exchanges.length > before, { timeoutMs: 60_000 });
        bench.server.last().answer(200, { metadata: { resourceVersion: '10' }, items: [] });
        await bench.settle();
        watch = bench.server.last();
      }
      expect(bench.machine.clock.monotonic()).toBeGreaterThan(5000);
    });

    it('waits as long as the server asks for', async () => {
      const stream = await bench.synced();
      stream.data(event('ERROR', { ...failure(429, 'TooManyRequests'), details: { retryAfterSeconds: 45 } }));
      await bench.machine.advance(44_999);
      expect(bench.server.exchanges).toHaveLength(1);
      await bench.machine.advance(1);
      expect(bench.server.exchanges).toHaveLength(2);
    });

    it('lists again when its version lies in the future of the server', async () => {
      const watch = await bench.syncedByPages();
      watch.answer(504, failure(504, 'Timeout'));
      await bench.machine.advance(1000);
      expect(Object.fromEntries(bench.server.last().query)).toEqual({ limit: '500' });
    });

    it('lists again after a line that makes no sense', async () => {
      const stream = await bench.synced();
      stream.data('{"type":"MODIFIED","object":{"kind":\n');
      await bench.machine.advance(1000);
      expect(bench.server.last().query.get('sendInitialEvents')).toBe('true');
    });
  });

  describe('when the other end is silently gone', () => {
    it('opens another watch 15 s after the server should have ended it', async () => {
      const stream = await bench.synced();
      const seconds = Number(stream.query.get('timeoutSeconds'));
      await bench.machine.advance((seconds + 15) * 1000 - 1);
      expect(bench.server.exchanges).toHaveLength(1);
      await bench.machine.advance(1);
      expect([bench.server.exchanges.length, stream.isCancelled()]).toEqual([2, true]);
      expect(bench.server.last().query.get('resourceVersion')).toBe('10');
    });

    it('notices within 150 s where the server had been sending bookmarks', async () => {
      const stream = await bench.synced();
      await bench.machine.advance(60_000);
      stream.data(bookmark(20));
      await bench.machine.advance(149_999);
      expect(bench.server.exchanges).toHaveLength(1);
      await bench.machine.advance(1);
      expect(bench.server.exchanges).toHaveLength(2);
      expect(bench.server.last().query.get('resourceVersion')).toBe('20');
    });

    it('gives up on a watch that is not accepted within 30 s', async () => {
      await bench.syncedByPages();
      const before = bench.server.exchanges.length;
      await bench.machine.advance(31_000);
      expect(bench.server.exchanges.length).toBe(before + 1);
    });
  });
});
