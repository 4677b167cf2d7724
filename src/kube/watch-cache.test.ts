import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aPod, bookmark, type CacheBench, createCacheBench, endOfList, event } from '../../test/support/cache-bench.ts';
import { failure } from '../../test/support/client-bench.ts';
import { createScriptedTransport } from '../../test/support/scripted-transport.ts';
import type { Pod } from '../objects/index.ts';

describe('a watch cache, for its readers', () => {
  let bench: CacheBench;
  beforeEach(() => {
    bench = createCacheBench();
  });
  afterEach(() => bench.cache.stop());

  it('finds objects by key and by index, as they change', async () => {
    const stream = await bench.synced();
    expect(bench.cache.get('ns/a')?.metadata.resourceVersion).toBe('3');
    expect(bench.cache.byIndex('node', 'node-of-a').map((pod) => pod.metadata.name)).toEqual(['a']);
    const moved = { ...aPod('a', 11), spec: { containers: [], nodeName: 'other' } };
    stream.data(event('MODIFIED', moved));
    expect(bench.cache.byIndex('node', 'node-of-a')).toEqual([]);
    expect(bench.cache.byIndex('node', 'other').map((pod) => pod.metadata.name)).toEqual(['a']);
    stream.data(event('DELETED', { ...moved, metadata: { ...moved.metadata, resourceVersion: '12' } }));
    expect(bench.cache.byIndex('node', 'other')).toEqual([]);
    expect(() => bench.cache.byIndex('nodes', 'other')).toThrow('no index named nodes');
  });

  it('says when it has reached a resourceVersion', async () => {
    const stream = await bench.synced();
    const reached: string[] = [];
    for (const version of ['9', '11', '12']) void bench.cache.whenReached(version).then(() => reached.push(version));
    await bench.settle();
    expect(reached).toEqual(['9']);
    stream.data(event('MODIFIED', aPod('a', 11)));
    await bench.settle();
    expect(reached).toEqual(['9', '11']);
    stream.data(bookmark(100));
    await bench.settle();
    expect(reached).toEqual(['9', '11', '12']);
  });

  it('lists, rather than waiting for a bookmark, when nothing else tells that it has reached a resourceVersion', async () => {
    await bench.synced();
    let reached = false;
    void bench.cache.whenReached('50').then(() => {
      reached = true;
    });
    await bench.machine.advance(1999);
    expect(bench.server.exchanges).toHaveLength(1);
    await bench.machine.advance(1);
    expect(bench.server.last().query.get('sendInitialEvents')).toBe('true');
    bench.server.last().head(200);
    bench.server.last().data(endOfList(60));
    await bench.settle();
    expect(reached).toBe(true);
    await bench.machine.advance(60_000);
    expect(bench.server.exchanges).toHaveLength(2);
  });

  it('lists ever more rarely for a resourceVersion that does not come', async () => {
    const server = createScriptedTransport((exchange) => {
      exchange.head(200);
      if (exchange.query.has('sendInitialEvents')) exchange.data(endOfList(10));
    });
    bench = createCacheBench({ server });
    bench.cache.start();
    void bench.cache.whenReached('50');
    await bench.machine.advance(120_000);
    expect(bench.cache.stats().lists).toBe(6); // at 0, 2, 6, 14, 30 and 62 s
    bench.cache.stop();
    await bench.machine.advance(3_600_000);
    expect(bench.cache.stats().lists).toBe(6);
  });

  it('goes on when a handler throws, and counts and logs it', async () => {
    bench.cache.onChange(() => {
      throw new Error('boom');
    });
    const after: string[] = [];
    bench.cache.onChange(({ type }) => {
      after.push(type);
    });
    await bench.synced();
    expect(after).toEqual(['added', 'added']);
    expect(bench.cache.stats()).toMatchObject({ handlerErrors: 2, lists: 1, state: 'watching' });
    expect(bench.logged).toEqual([
      'a handler of a cache failed; the others go on',
      'a handler of a cache failed; the others go on',
    ]);
  });

  it('shows no managedFields, whether they come from a list, a stream or an own write', async () => {
    const managed = (pod: Pod): Pod => ({ ...pod, metadata: { ...pod.metadata, managedFields: [{ manager: 'm' }] } });
    bench.cache.start();
    bench.server.last().answer(422, failure(422, 'Invalid'));
    await bench.settle();
    bench.server.last().answer(200, { metadata: { resourceVersion: '10' }, items: [managed(aPod('a', 3))] });
    await bench.settle();
    bench.server.last().head(200);
    bench.server.last().data(event('ADDED', managed(aPod('b', 11))));
    bench.cache.observeWritten(managed(aPod('c', 12)));
    expect(bench.cache.list().map((pod) => 'managedFields' in pod.metadata)).toEqual([false, false, false]);
  });

  it('hides an own write that has left the label selector', async () => {
    bench = createCacheBench({ labelSelector: 'app=x' });
    await bench.synced();
    const pod = aPod('a', 12);
    bench.cache.observeWritten({ ...pod, metadata: { ...pod.metadata, labels: { app: 'y' } } });
    expect(bench.cache.get('ns/a')).toBeUndefined();
  });

  it('shows objects through the transform', async () => {
    bench = createCacheBench({ transform: (pod: Pod): Pod => ({ ...pod, spec: { containers: [] } }) });
    await bench.synced();
    expect(bench.cache.list().map((pod) => pod.spec?.nodeName)).toEqual([undefined, undefined]);
  });

  it('hands out objects that nobody can change, in tests', async () => {
    await bench.synced();
    const pod = bench.cache.get('ns/a');
    expect(() => Object.assign(pod?.metadata ?? {}, { name: 'x' })).toThrow(TypeError);
  });

  it('does nothing any more after stop', async () => {
    const stream = await bench.synced();
    bench.cache.stop();
    expect(stream.isCancelled()).toBe(true);
    await bench.machine.advance(3_600_000);
    expect(bench.server.exchanges).toHaveLength(1);
    expect(bench.cache.stats().state).toBe('stopped');
    expect(bench.machine.pending()).toBe(0);
  });
});
