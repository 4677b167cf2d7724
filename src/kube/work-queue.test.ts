import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createVirtualPlatform, type VirtualPlatform } from '../simulation/index.ts';
import { createWorkQueue, type ObservedWorkQueue } from './work-queue.ts';

/** Handlers that end when the test says so. */
const aBench = (): {
  readonly handle: (key: string) => Promise<void>;
  readonly running: () => readonly string[];
  readonly started: string[];
  readonly finish: (key: string, error?: Error) => void;
} => {
  const open = new Map<string, { readonly resolve: () => void; readonly reject: (error: Error) => void }>();
  const started: string[] = [];
  return {
    started,
    running: () => [...open.keys()],
    handle: (key) => {
      if (open.has(key)) throw new Error(`${key} is handled twice at the same time`);
      started.push(key);
      return new Promise((resolve, reject) => {
        open.set(key, { resolve, reject });
      });
    },
    finish: (key, error) => {
      const handler = open.get(key);
      if (handler === undefined) throw new Error(`${key} is not handled`);
      open.delete(key);
      if (error === undefined) handler.resolve();
      else handler.reject(error);
    },
  };
};

describe('a work queue', () => {
  let machine: VirtualPlatform;
  let queue: ObservedWorkQueue;
  let bench: ReturnType<typeof aBench>;
  beforeEach(() => {
    machine = createVirtualPlatform();
    queue = createWorkQueue({ platform: machine });
    bench = aBench();
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

describe('a work queue against a model of client-go', () => {
  type Step =
    | { readonly do: 'add'; readonly key: string }
    | { readonly do: 'addAfter'; readonly key: string; readonly delayMs: number }
    | { readonly do: 'finish'; readonly pick: number }
    | { readonly do: 'fail'; readonly pick: number }
    | { readonly do: 'wait'; readonly ms: number };

  const key = fc.constantFrom('a', 'b', 'c', 'd');
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), key }) },
    fc.record({ do: fc.constant('addAfter' as const), key, delayMs: fc.integer({ min: 0, max: 40 }) }),
    { weight: 3, arbitrary: fc.record({ do: fc.constant('finish' as const), pick: fc.nat(10) }) },
    fc.record({ do: fc.constant('fail' as const), pick: fc.nat(10) }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 30 }) }),
  );

  it('handles every key that was added, one at a time, in turn, and never sooner than it was asked to', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 60 }),
        fc.integer({ min: 1, max: 3 }),
        async (steps, concurrency) => {
          const machine = createVirtualPlatform();
          const queue = createWorkQueue({ platform: machine });
          const bench = aBench();
          queue.run(concurrency, bench.handle);
          // The model: who waits in order, who is handled, who was added meanwhile, and who is due when.
          let waiting: string[] = [];
          let running: string[] = [];
          const again = new Set<string>();
          const due = new Map<string, number>();
          const failures = new Map<string, number>();

          const add = (name: string): void => {
            if (running.includes(name)) again.add(name);
            else if (!waiting.includes(name)) waiting.push(name);
          };
          const later = (name: string, at: number): void => {
            if (at <= machine.clock.monotonic()) add(name);
            else if (at < (due.get(name) ?? Number.POSITIVE_INFINITY)) {
              due.delete(name); // it is due after whatever was put off to the same instant before it
              due.set(name, at);
            }
          };
          const start = (): void => {
            while (running.length < concurrency && waiting.length > 0) running.push(...waiting.splice(0, 1));
          };
          const end = (name: string): void => {
            running = running.filter((other) => other !== name);
            if (again.delete(name)) waiting.push(name);
          };

          const compare = (): void => {
            start();
            expect([...bench.running()].sort()).toEqual([...running].sort());
            expect(queue.depth).toBe(waiting.length);
          };

          for (const action of steps) {
            switch (action.do) {
              case 'add':
                queue.add(action.key);
                add(action.key);
                break;
              case 'addAfter':
                queue.addAfter(action.key, action.delayMs);
                later(action.key, machine.clock.monotonic() + action.delayMs);
                break;
              case 'finish':
              case 'fail': {
                const name = running[action.pick % Math.max(running.length, 1)];
                if (name === undefined) break;
                bench.finish(name, action.do === 'fail' ? new Error('no') : undefined);
                if (action.do === 'fail') {
                  const before = failures.get(name) ?? 0;
                  failures.set(name, before + 1);
                  later(name, machine.clock.monotonic() + 5 * 2 ** before);
                } else failures.delete(name);
                end(name);
                break;
              }
              case 'wait':
                for (let i = 0; i < action.ms; i++) {
                  await machine.advance(1);
                  const now = machine.clock.monotonic();
                  for (const [name] of [...due].filter(([, at]) => at <= now)) {
                    due.delete(name);
                    add(name);
                  }
                  compare();
                }
                break;
            }
            await machine.advance(0);
            compare();
          }
          // Nothing is lost: left alone, every key that waits or is due is handled in the end.
          for (let i = 0; i < 200 && (running.length > 0 || waiting.length > 0 || due.size > 0); i++) {
            for (const name of [...bench.running()]) bench.finish(name);
            await machine.advance(50);
            waiting = [];
            running = [...bench.running()];
            due.clear();
          }
          expect([bench.running(), queue.depth, queue.stats().delayed]).toEqual([[], 0, 0]);
        },
      ),
      { numRuns: 300 },
    );
  });
});
