import { describe, expect, it } from 'vitest';
import { createWorkQueue } from '../kube/index.ts';
import { createVirtualPlatform } from '../simulation/index.ts';
import { createPace } from './pace.ts';

const aPace = (pods: number) => {
  const machine = createVirtualPlatform();
  const queue = createWorkQueue({ platform: machine });
  const pace = createPace(queue, machine.clock);
  const decidedAt: number[] = [];
  queue.run(1, async (key) => {
    decidedAt.push(machine.clock.monotonic());
    pace.decided(key, pods);
  });
  return { machine, pace, decidedAt };
};

describe('the pace of decisions', () => {
  it('follows every change while there are few Pods', async () => {
    const { machine, pace, decidedAt } = aPace(9);
    for (let i = 0; i < 5; i++) {
      pace.add('a');
      await machine.advance(1);
    }
    expect(decidedAt).toEqual([0, 1, 2, 3, 4]);
  });

  it('gathers the changes of a thousand Pods for 100 ms, and misses none', async () => {
    const { machine, pace, decidedAt } = aPace(1000);
    for (let i = 0; i < 250; i++) {
      pace.add('a');
      await machine.advance(1);
    }
    await machine.advance(1000);
    expect(decidedAt).toEqual([0, 100, 200, 300]);
  });

  it('waits 200 ms at most, and for one key alone', async () => {
    const { machine, pace, decidedAt } = aPace(100_000);
    pace.add('a');
    await machine.advance(1);
    pace.add('a');
    pace.add('b');
    await machine.advance(1000);
    expect(decidedAt).toEqual([0, 1, 200]);
  });
});
