import { describe, expect, it } from 'vitest';
import { nameOf } from '../../src/objects/index.ts';
import { operatorUser, type World } from '../../src/simulation/index.ts';
import { applied, aWorld, deletePod, rolledOut, uids } from '../scenarios/world.ts';
import { aModelServing } from '../world/builders.ts';
import { podCreates, scaleTo } from './helpers.ts';

interface Sent {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
}

/** Notes every request of the operators from now on. */
const listen = (world: World): readonly Sent[] => {
  const sent: Sent[] = [];
  world.faults.add({
    matches: ({ method, path }) => {
      sent.push({ atMs: world.machine.clock.monotonic(), method, path });
      return false;
    },
    disturbance: { kind: 'lose-request' },
  });
  return sent;
};

/** The most requests in any one second. */
const peak = (sent: readonly Sent[]): number => {
  const seconds = new Map<number, number>();
  for (const { atMs } of sent) {
    const second = Math.floor(atMs / 1000);
    seconds.set(second, (seconds.get(second) ?? 0) + 1);
  }
  return Math.max(0, ...seconds.values());
};

const manifest = aModelServing().groups(2).role('m').recreate().build();

/** The Pod of group 0 is made again. */
const isReplaced = (world: World, before: Readonly<Record<string, string>>): boolean =>
  ![undefined, before['ms-0-m-0-0']].includes(uids(world)['ms-0-m-0-0']);

describe('a watch', () => {
  it('B129: that is silently dead is noticed in bounded time, and its metric tells', async () => {
    const world = await aWorld();
    await applied(world, manifest);
    await world.run(2 * 60_000);
    const before = uids(world);
    world.operator().link.silenceWatches('pods');
    await deletePod(world, 'ms-0-m-0-0', 0);
    await world.run(90_000);
    const { body } = await world.finish(world.operator().operator.probe('/metrics'));
    const silence = /modelserving_watch_silence_seconds\{resource="pods"\} ([\d.]+)/.exec(body)?.[1];
    expect(Number(silence)).toBeGreaterThan(90);
    await world.until((now) => isReplaced(now, before), 65_000);
    await world.until(rolledOut);
  });

  for (const form of ['in the stream', 'as an answer'] as const) {
    it(`B132: whose version is too old (410 ${form}) is opened anew after one list`, async () => {
      const world = await aWorld();
      await applied(world, manifest);
      const sent = listen(world);
      world.cluster.faults.compact();
      if (form === 'as an answer') {
        world.faults.add({
          matches: ({ purpose }) => purpose === 'watch',
          disturbance: { kind: 'refuse', code: 410, reason: 'Expired', message: 'too old resource version' },
          times: 4,
        });
      }
      const before = uids(world);
      world.operator().link.closeWatches();
      await deletePod(world, 'ms-0-m-0-0', 0);
      await world.until((now) => isReplaced(now, before), 60_000);
      await world.until(rolledOut);
      await world.run(5 * 60_000);
      const ofPods = sent.filter(({ path }) => path.startsWith('/api/v1/pods?'));
      expect(ofPods.length).toBeLessThanOrEqual(6);
    });
  }

  it('B134: goes on to tell of everything after it was broken, again and again', async () => {
    const world = await aWorld();
    await applied(world, manifest);
    for (let round = 0; round < 5; round += 1) {
      const before = uids(world);
      world.operator().link.closeWatches();
      await deletePod(world, 'ms-0-m-0-0', 0);
      await world.until((now) => isReplaced(now, before), 60_000);
      await world.until(rolledOut);
    }
  });

  it('B137: shows no ghost of a Pod that came and went while it was blind', async () => {
    const world = await aWorld();
    await applied(world, manifest);
    world.operator().link.stallWatches('pods');
    await scaleTo(world, 3);
    await world.until((now) => now.group(2).length === 1);
    await deletePod(world, 'ms-2-m-0-0', 0);
    world.cluster.faults.compact();
    world.operator().link.closeWatches('pods');
    world.operator().link.resumeWatches();
    await world.until((now) => podCreates(now).length === 4 && rolledOut(now), 60_000);
    expect(world.pods().map(nameOf)).toEqual(['ms-0-m-0-0', 'ms-1-m-0-0', 'ms-2-m-0-0']);
  });
});

describe('an API server', () => {
  it('B131: that was away for a minute is asked by one watch a resource, a few requests a second at most', async () => {
    const world = await aWorld();
    await applied(world, manifest);
    const sent = listen(world);
    const back = world.faults.add({ matches: () => true, disturbance: { kind: 'lose-request' } });
    world.operator().link.closeWatches();
    await world.run(60_000);
    expect(peak(sent)).toBeLessThanOrEqual(20);
    expect(sent.length).toBeLessThanOrEqual(120);
    back();
    const before = uids(world);
    await deletePod(world, 'ms-0-m-0-0', 0);
    await world.until((now) => isReplaced(now, before), 60_000);
    await world.run(60_000);
    const watched = sent
      .filter(({ atMs, path }) => path.includes('watch=true') && atMs > 61_000)
      .map(({ path }) => path.split('?')[0]);
    expect(watched.length).toBeLessThanOrEqual(new Set(watched).size * 2);
  });
});

describe('an operator that is told to stop', () => {
  it('B139: ends within five seconds in the middle of a rollout, and writes nothing afterwards', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().groups(4).role('m', { workers: 1 }).recreate().build());
    await world.setImage(ms, 'engine:v2');
    await world.until((now) => now.pods().length < 8);
    const began = world.machine.clock.monotonic();
    await world.finish(world.operator().operator.stop());
    expect(world.machine.clock.monotonic() - began).toBeLessThan(5_000);
    const mark = world.ledger.mark();
    await world.run(60_000);
    expect(world.ledger.since(mark).writes({ by: operatorUser })).toEqual([]);
    world.killOperator();
    world.startOperator();
    await world.until(rolledOut);
  });
});
