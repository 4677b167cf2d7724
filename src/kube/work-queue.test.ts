import { beforeEach, describe, expect, it } from 'vitest';
import { createHandlerBench, type HandlerBench } from '../../test/support/handler-bench.ts';
import { createVirtualPlatform, type VirtualPlatform } from '../simulation/index.ts';
import { createWorkQueue, type ObservedWorkQueue } from './work-queue.ts';

describe('a work queue', () => {
  let machine: VirtualPlatform;
  let queue: ObservedWorkQueue;
  let bench: HandlerBench;
  beforeEach(() => {
    machine = createVirtualPlatform();
    queue = createWorkQueue({ platform: machine });
    bench = createHandlerBench();
  });
  const settle = (): Promise<void> => machine.advance(0);

  it('holds a key once, however often it is added, and keeps the order', async () => {
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    expect(queue.depth).toBe(3);
    queue.run(3, bench.handle);
    await settle();
    expect(bench.started).toEqual(['a', 'b', 'c']);
  });

  it('handles at most so many keys at a time', async () => {
    queue.run(2, bench.handle);
    for (const key of ['a', 'b', 'c']) queue.add(key);
    await settle();
    expect([bench.running(), queue.depth]).toEqual([['a', 'b'], 1]);
    bench.finish('a');
    await settle();
    expect(bench.running()).toEqual(['b', 'c']);
  });

  it('handles a key again that was added while it was handled, and never twice at the same time', async () => {
    queue.run(5, bench.handle);
    queue.add('a');
    await settle();
    queue.add('a');
    queue.add('a');
    await settle();
    expect(bench.running()).toEqual(['a']);
    bench.finish('a');
    await settle();
    expect(bench.started).toEqual(['a', 'a']);
    bench.finish('a');
    await settle();
    expect(bench.started).toEqual(['a', 'a']);
  });

  it('never runs a handler inside the call that adds the key', () => {
    queue.run(1, bench.handle);
    queue.add('a');
    expect(bench.started).toEqual([]);
  });

  it('adds a key later, at the earliest of the times asked for', async () => {
    queue.run(1, bench.handle);
    queue.addAfter('a', 300);
    queue.addAfter('a', 100);
    queue.addAfter('a', 200);
    await machine.advance(99);
    expect(bench.started).toEqual([]);
    await machine.advance(1);
    expect(bench.started).toEqual(['a']);
    bench.finish('a');
    await machine.advance(1000);
    expect(bench.started).toEqual(['a']);
  });

  it('doubles the wait of a key that fails, from 5 ms to 1000 s, and lets no other key wait for it', async () => {
    queue.run(1, async (key) => {
      bench.started.push(`${key} ${machine.clock.monotonic()}`);
      if (key === 'poison') throw new Error('no');
    });
    queue.add('poison');
    await machine.advance(5 + 10 + 20);
    expect(bench.started).toEqual(['poison 0', 'poison 5', 'poison 15', 'poison 35']);
    queue.add('good');
    await settle();
    expect(bench.started.at(-1)).toBe('good 35');
    await machine.advance(5_000_000);
    const times = bench.started
      .filter((entry) => entry.startsWith('poison'))
      .map((entry) => Number(entry.split(' ')[1]));
    const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
    expect(Math.max(...gaps)).toBe(1_000_000);
  });

  it('starts small again after a success or forget', async () => {
    let fails = true;
    queue = createWorkQueue({ platform: machine, maxDelayMs: 40 });
    queue.run(1, async () => {
      bench.started.push(String(machine.clock.monotonic()));
      if (fails) throw new Error('no');
    });
    queue.add('a');
    await machine.advance(5 + 10 + 20 + 40 + 39);
    fails = false;
    await machine.advance(1);
    expect(bench.started).toEqual(['0', '5', '15', '35', '75', '115']);
    fails = true;
    queue.add('a');
    await machine.advance(5);
    expect(bench.started.slice(-2)).toEqual(['115', '120']);
    queue.forget('a');
    await machine.advance(10 + 5);
    expect(bench.started.slice(-2)).toEqual(['130', '135']);
  });

  it('keeps the back-off of a handler that asked for it and did not fail', async () => {
    queue.run(1, async (key) => {
      bench.started.push(String(machine.clock.monotonic()));
      queue.addRateLimited(key);
    });
    queue.add('a');
    await machine.advance(5 + 10 + 20);
    expect(bench.started).toEqual(['0', '5', '15', '35']);
  });

  it('lets handlers end when it is stopped, takes nothing more, and leaves no timer', async () => {
    const stop = queue.run(1, bench.handle);
    queue.add('a');
    queue.add('b');
    queue.addAfter('c', 10);
    await settle();
    let ended = false;
    const stopping = stop().then(() => {
      ended = true;
    });
    queue.add('d');
    queue.addRateLimited('d');
    await settle();
    expect([ended, machine.pending()]).toEqual([false, 0]);
    bench.finish('a');
    await stopping;
    await machine.advance(1000);
    expect(bench.started).toEqual(['a']);
    await stop();
  });

  it('tells metrics how long keys waited and were worked on', async () => {
    const told: string[] = [];
    queue = createWorkQueue({
      platform: machine,
      metrics: {
        added: (key) => told.push(`added ${key}`),
        taken: (key, ms) => told.push(`taken ${key} after ${ms}`),
        done: (key, ms, failed) => told.push(`done ${key} in ${ms} ${failed}`),
        retried: (key) => told.push(`retried ${key}`),
      },
    });
    queue.add('a');
    await machine.advance(7);
    queue.run(1, bench.handle);
    await machine.advance(3);
    expect(queue.stats()).toEqual({ waiting: 0, delayed: 0, running: 1, longestRunningMs: 3 });
    bench.finish('a', new Error('no'));
    await settle();
    expect(told).toEqual(['added a', 'taken a after 7', 'retried a', 'done a in 3 true']);
  });
});
