import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHandlerBench } from '../../test/support/handler-bench.ts';
import { createVirtualPlatform } from '../simulation/index.ts';
import { createWorkQueue } from './work-queue.ts';

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
          const bench = createHandlerBench();
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
