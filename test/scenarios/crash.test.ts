import { describe, expect, it } from 'vitest';
import type { World } from '../../src/simulation/index.ts';
import { operatorUser } from '../../src/simulation/index.ts';
import { aModelServing } from '../world/builders.ts';
import { applied, aWorld, containerIds, deletedPods, places, rolledOut, specImages, truth } from './world.ts';

const groups = (count: number) => aModelServing().groups(count).image('engine:v1').inPlace();

/** Pod patches of the operator since a mark, by Pod name. */
const patchesSince = (world: World, mark: number): readonly string[] =>
  world.ledger
    .since(mark)
    .writes({ by: operatorUser, resource: 'pods', verb: 'patch' })
    .map(({ name }) => name);

describe('an operator that dies in the middle', () => {
  it('38: after patching the entry only, its successor patches the worker and starts no second group', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(4).build());
    const before = places(world);
    const mark = world.ledger.mark();
    await world.setImage(ms, 'engine:v2');
    await world.until(() => patchesSince(world, mark).length === 1);
    world.killOperator();
    await world.run(5_000);
    expect(patchesSince(world, mark)).toHaveLength(1);
    world.startOperator();
    await world.until(() => patchesSince(world, mark).length === 2);
    expect([...patchesSince(world, mark)].sort()).toEqual(['ms-3-r-0-0', 'ms-3-r-0-1']);
    expect(specImages([...world.group(0), ...world.group(1), ...world.group(2)])).toEqual(['engine:v1']);
    await world.until(rolledOut);
    expect(places(world)).toEqual(before);
    expect(patchesSince(world, mark)).toHaveLength(8);
    expect(deletedPods(world)).toEqual([]);
  });

  it('after the first delete of a recreation, goes on deleting and refills nothing of the old revision', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().groups(2).image('engine:v1').recreate().recovery('None').build());
    const old = world.status().currentRevision;
    const mark = world.ledger.mark();
    await world.setImage(ms, 'engine:v2');
    await world.until(() => world.ledger.since(mark).deletes('pods').length === 1);
    world.killOperator();
    await world.run(60_000);
    world.startOperator();
    await world.until(rolledOut);
    const created = world.ledger.since(mark).writes({ by: operatorUser, resource: 'pods', verb: 'create' });
    expect(created).toHaveLength(4);
    expect(created.map(({ object }) => object.metadata.labels?.['modelserving.volcano.sh/revision'])).not.toContain(
      old,
    );
  });

  it('39: while containers restart, reads the marker when it comes back and recovers nothing', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(1).build());
    const before = places(world);
    await world.setImage(ms, 'engine:v2');
    await world.until(() => specImages(world.pods()).join() === 'engine:v2');
    world.killOperator();
    await world.run(60_000);
    expect(truth(world)).toEqual(['engine:v2', 'engine:v2']);
    world.startOperator();
    await world.until(rolledOut);
    expect(places(world)).toEqual(before);
    expect(deletedPods(world)).toEqual([]);
  });

  it('40: with another one still running, patches every Pod once and restarts none twice', async () => {
    const world = await aWorld();
    world.startOperator('second');
    const ms = await applied(world, groups(4).build());
    const before = places(world);
    const mark = world.ledger.mark();
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    expect(places(world)).toEqual(before);
    expect([...patchesSince(world, mark)].sort()).toEqual(Object.keys(before).sort());
    const restarts = world
      .pods()
      .flatMap((pod) => pod.status?.containerStatuses?.map(({ restartCount }) => restartCount));
    expect(new Set(restarts)).toEqual(new Set([1]));
    expect(deletedPods(world)).toEqual([]);
  });

  it('79: every 5 s during one settle wait, completes all the same once it stays up', async () => {
    const images = { 'engine:v1': { content: 'same' }, 'engine:v2': { content: 'same' } };
    const world = await aWorld({ images });
    const ms = await applied(world, groups(1).build());
    const before = places(world);
    await world.setImage(ms, 'engine:v2');
    for (let restart = 0; restart < 20; restart += 1) {
      await world.run(5_000);
      world.killOperator();
      world.startOperator();
    }
    const running = containerIds(world.pods());
    await world.until(rolledOut, 60 * 60_000);
    expect(places(world)).toEqual(before);
    expect(containerIds(world.pods())).toEqual(running);
  });
});

describe('killed at every single write of a rollout', () => {
  /** Creates two groups, rolls an image out, and kills the operator around one of its writes. */
  const rollOut = async (plan?: {
    readonly write: number;
    readonly at: 'before-send' | 'after-commit' | 'after-reply';
  }) => {
    const world = await aWorld();
    if (plan !== undefined) {
      world.killOperator(plan);
    }
    const ms = await world.apply(groups(2).build());
    await world.until((now) => revive(now) && rolledOut(now));
    const before = places(world);
    await world.setImage(ms, 'engine:v2');
    await world.until((now) => revive(now) && rolledOut(now));
    await world.run(60_000);
    return { world, before, writes: world.operator().writes() };
  };

  const revive = (world: World): boolean => {
    if (!world.operator().process.isAlive()) world.startOperator();
    return true;
  };

  /** What a person sees at the end, without UIDs, times and versions. */
  const endState = (world: World): unknown => ({
    pods: world.pods().map(({ metadata, spec }) => [metadata.name, spec.containers[0]?.image, metadata.labels]),
    services: world.seen.services
      .list()
      .map(({ metadata }) => metadata.name)
      .sort(),
    revisions: world.seen.revisions
      .list()
      .map(({ metadata }) => metadata.name)
      .sort(),
    status: { ...world.status(), conditions: world.status().conditions?.map(({ type, status }) => [type, status]) },
  });

  it('ends in the same state each time, with every Pod in its place', async () => {
    const undisturbed = await rollOut();
    const wanted = endState(undisturbed.world);
    for (let write = 1; write <= undisturbed.writes; write += 1) {
      for (const at of ['before-send', 'after-commit', 'after-reply'] as const) {
        const { world, before } = await rollOut({ write, at });
        const what = `killed ${at} write ${write}`;
        expect(endState(world), what).toEqual(wanted);
        expect(places(world), what).toEqual(before);
        expect(deletedPods(world), what).toEqual([]);
      }
    }
  }, 300_000);
});
