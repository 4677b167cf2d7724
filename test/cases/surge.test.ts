import { describe, expect, it } from 'vitest';
import { applied, aWorld, condition, rolledOut, specImages, uids } from '../scenarios/world.ts';
import { aModelServing } from '../world/builders.ts';
import {
  countByName,
  editSpec,
  ordinals,
  podCreates,
  podDeletes,
  scaleTo,
  servingPods,
  watchNumber,
} from './helpers.ts';

const slow = { 'engine:v2': { readyAfterMs: 10_000 } };
const surging = (groups: number) => aModelServing().groups(groups).role('m').recreate().maxSurge(1);

describe('a surge group', () => {
  it('B028: that cannot be scheduled waits, and nothing else is touched', async () => {
    const world = await aWorld({ nodes: [{ name: 'full', maxPods: 2 }] });
    const ms = await applied(world, surging(2).maxUnavailable(0).build());
    const before = uids(world);
    const mark = world.ledger.mark();
    await world.setImage(ms, 'engine:v2');
    await world.run(2 * 60_000);
    expect(countByName(podCreates(world, mark))).toEqual({ 'ms-2-m-0-0': 1 });
    expect(podDeletes(world, mark)).toEqual([]);
    expect(uids(world)).toMatchObject(before);
    expect(condition(world, 'UpdateInProgress')).toContain('ms-2-m-0-0 is not Ready: not scheduled');
    await world.finish(world.cluster.nodes.add({ name: 'empty' }));
    await world.until(rolledOut);
    expect(ordinals(world)).toEqual([0, 1]);
  });

  it('B029: leaves no hole in the ordinals', async () => {
    const world = await aWorld({ images: slow });
    const ms = await applied(world, surging(4).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    expect(ordinals(world)).toEqual([0, 1, 2, 3]);
  });

  it('B029: under a partition ends with the old groups, the new ones, and none beyond', async () => {
    const world = await aWorld({ images: slow });
    const ms = await applied(world, surging(4).partition(2).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(() => world.status().updatedReplicas === 2 && condition(world, 'Available').startsWith('True'));
    await world.run(10 * 60_000);
    expect(ordinals(world)).toEqual([0, 1, 2, 3]);
    expect([0, 1, 2, 3].map((group) => specImages(world.group(group)).join())).toEqual([
      'engine:v1',
      'engine:v1',
      'engine:v2',
      'engine:v2',
    ]);
    expect(world.status()).toMatchObject({ replicas: 4, updatedReplicas: 2, currentReplicas: 2 });
    expect(condition(world, 'UpdateInProgress')).toMatch(/^False/);
  });

  it('B030: stays until every other group has moved, so that no capacity is lost', async () => {
    const world = await aWorld({ images: slow });
    const ms = await applied(world, surging(3).maxUnavailable(0).build());
    await world.setImage(ms, 'engine:v2');
    expect(await watchNumber(world, () => servingPods(world), rolledOut)).toEqual({ least: 3, most: 4 });
  });

  it('B030: is not made for scaling alone', async () => {
    const world = await aWorld();
    await applied(world, surging(3).maxUnavailable(0).build());
    await scaleTo(world, 5);
    expect((await watchNumber(world, () => ordinals(world).length, rolledOut)).most).toBe(5);
    await editSpec(world, (spec) => ({ ...spec, replicas: 2 }));
    await world.until(rolledOut);
    expect(ordinals(world)).toEqual([0, 1]);
  });
});
