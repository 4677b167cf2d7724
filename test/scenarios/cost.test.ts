import { describe, expect, it } from 'vitest';
import type { ModelServing } from '../../src/api/index.ts';
import { resources } from '../../src/kube/index.ts';
import { nameOf, type Pod, refOf } from '../../src/objects/index.ts';
import { type DecideInput, type Decision, decide, seePod } from '../../src/rollout/index.ts';
import { createWorld, operatorUser, type World } from '../../src/simulation/index.ts';
import { gang } from '../support/gangs.ts';
import { installVolcano } from '../support/volcano.ts';
import { aModelServing } from '../world/builders.ts';
import { applied, aWorld, rolledOut } from './world.ts';

/** 3 groups with a prefill and a decode instance each, an entry and two workers: 18 Pods. */
const groups = 3;
const pods = groups * 6;
const serving = () =>
  aModelServing().groups(groups).role('prefill', { workers: 2 }).role('decode', { workers: 2 }).inPlace();

/** What the operator has written, as `patch pods`, each with how often. */
const tally = (world: World, mark: number): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { verb, resource, subresource } of world.ledger.since(mark).writes({ by: operatorUser })) {
    const key = `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
};

describe('what a ModelServing costs the API server', () => {
  it('is one create for every Pod and every Service', async () => {
    const world = await aWorld();
    await applied(world, serving().build());
    await world.settle();
    expect(tally(world, 0)).toMatchObject({
      'create pods': pods,
      'create services': groups * 2,
      'create controllerrevisions': 1,
    });
    expect(Object.keys(tally(world, 0)).filter((key) => key.endsWith(' pods'))).toEqual(['create pods']);
  });

  it('is one patch for every Pod of an in-place rollout, and besides only a status and events', async () => {
    const world = await aWorld();
    const ms = await applied(world, serving().build());
    await world.settle();
    const mark = world.ledger.mark();

    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    await world.settle();

    const counts = tally(world, mark);
    expect(counts['patch pods']).toBe(pods);
    expect(Object.keys(counts).sort()).toEqual([
      'create controllerrevisions',
      'create events',
      'patch modelservings/status',
      'patch pods',
    ]);
    const patched = world.ledger.since(mark).writes({ by: operatorUser, resource: 'pods' });
    expect(new Set(patched.map(({ name }) => name))).toEqual(new Set(world.pods().map(nameOf)));
  });

  it('sends no write that changes nothing, none that is refused, and nothing that exists already', async () => {
    const world = await aWorld();
    const ms = await applied(world, serving().build());
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    await world.settle();
    // Whatever is sent and not committed was one of these.
    expect(world.operator().writes()).toBe(world.ledger.writes({ by: operatorUser }).length);
  });

  it('is nothing at rest, after a creation and after a rollout', async () => {
    const world = await aWorld();
    const ms = await applied(world, serving().build());
    await world.settle();
    const created = world.ledger.mark();
    await world.run(2 * 3_600_000);
    expect(tally(world, created)).toEqual({});

    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    await world.settle();
    const updated = world.ledger.mark();
    await world.run(2 * 3_600_000);
    expect(tally(world, updated)).toEqual({});
  });

  it('is nothing at rest under Role updates, nor with gangs', async () => {
    const byRole = serving().byRole().build();
    for (const manifest of [byRole, gang(2).inPlace().build()]) {
      const world = await aWorld();
      await installVolcano(world);
      const ms = await applied(world, manifest);
      await world.setImage(ms, 'engine:v2');
      await world.until(rolledOut);
      await world.settle();
      expect(world.operator().writes()).toBe(world.ledger.writes({ by: operatorUser }).length);
      const mark = world.ledger.mark();
      world.killOperator();
      await world.finish(world.startOperator().running);
      await world.run(2 * 3_600_000);
      expect(tally(world, mark)).toEqual({});
    }
  });

  it('is nothing when another process takes over at rest, whatever it does not remember', async () => {
    const world = await aWorld();
    const ms = await applied(world, serving().build());
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    await world.settle();
    const mark = world.ledger.mark();

    world.killOperator();
    await world.finish(world.startOperator().running);
    await world.settle();
    await world.run(3_600_000);
    expect(tally(world, mark)).toEqual({});
    expect(world.operator().writes()).toBe(0);
  });
});

describe('a burst of Pod events', () => {
  /** A world at rest whose operator's decisions are counted. */
  const counted = async (
    manifest: ModelServing,
  ): Promise<{ readonly world: World; readonly decisions: () => number }> => {
    let decisions = 0;
    const counting = (input: DecideInput): Decision => {
      decisions += 1;
      return decide(input);
    };
    const world = await createWorld({ logic: { seePod, decide: counting } });
    await applied(world, manifest);
    await world.settle();
    return { world, decisions: () => decisions };
  };
  /** An event that changes nothing for anybody. */
  const touch = (world: World, pod: Pod): Promise<unknown> =>
    world.finish(
      world.client.patch(resources.pods, refOf(pod), {
        type: 'merge',
        body: { metadata: { annotations: { x: 'y' } } },
      }),
    );

  it('that comes at once is decided once', async () => {
    const { world, decisions } = await counted(serving().groups(10).build());
    const before = decisions();
    world.operator().link.stallWatches('pods');
    for (const pod of world.pods()) await touch(world, pod);
    await world.run(1000);
    expect(decisions()).toBe(before);

    world.operator().link.resumeWatches();
    await world.run(1000);
    expect(decisions() - before).toBe(1);
  });

  it('that comes one by one is gathered: the more Pods, the longer, a tenth of a millisecond for each', async () => {
    const { world, decisions } = await counted(serving().groups(25).build());
    const before = decisions();
    // 150 Pods, one each millisecond: decided after the first, and then every 15 ms.
    for (const pod of world.pods()) {
      await touch(world, pod);
      await world.run(1);
    }
    await world.run(1000);
    expect(decisions() - before).toBeGreaterThan(1);
    expect(decisions() - before).toBeLessThanOrEqual(1 + 150 / 15);
  });
});
