import { describe, expect, it } from 'vitest';
import { nameOf } from '../../src/objects/index.ts';
import type { World } from '../../src/simulation/index.ts';
import { aModelServing } from '../world/builders.ts';
import { applied, aWorld, deletedPods, places, rolledOut, specImages } from './world.ts';

const slow = { 'engine:v2': { readyAfterMs: 10_000 } };

const readyGroups = (world: World): number => {
  const groups = new Map<string, boolean>();
  for (const pod of world.pods()) {
    const group = nameOf(pod).split('-')[1] ?? '';
    const ready =
      pod.metadata.deletionTimestamp === undefined &&
      pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
    groups.set(group, (groups.get(group) ?? true) && ready);
  }
  return [...groups.values()].filter((ready) => ready).length;
};

/** Runs to the end of the rollout; the fewest Ready groups and the most groups on the way. */
const extremes = async (world: World): Promise<{ readonly least: number; readonly most: number }> => {
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  await world.until((now) => {
    least = Math.min(least, readyGroups(now));
    most = Math.max(most, new Set(now.pods().map((pod) => nameOf(pod).split('-')[1])).size);
    return rolledOut(now);
  });
  return { least, most };
};

describe('maxSurge', () => {
  it('63: creates no surge group for a change that goes in place within maxUnavailable', async () => {
    const world = await aWorld();
    const ms = await applied(
      world,
      aModelServing().groups(4).image('engine:v1').inPlace().maxSurge(1).maxUnavailable(1).build(),
    );
    const before = places(world);
    await world.setImage(ms, 'engine:v2');
    expect(await extremes(world)).toMatchObject({ most: 4 });
    expect(places(world)).toEqual(before);
  });

  it('73: with maxUnavailable 0, rolls an image out in place without a dip: a surge group lends its slot and goes at the end', async () => {
    const world = await aWorld({ images: slow });
    const ms = await applied(
      world,
      aModelServing().groups(4).image('engine:v1').inPlace().maxSurge(1).maxUnavailable(0).build(),
    );
    const before = places(world);
    await world.setImage(ms, 'engine:v2');
    expect(await extremes(world)).toEqual({ least: 4, most: 5 });
    expect(places(world)).toEqual(before);
    expect([...deletedPods(world)].sort()).toEqual(['ms-4-r-0-0', 'ms-4-r-0-1']);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
  });

  it('recreates four groups with maxUnavailable 0 and never has fewer than four Ready', async () => {
    const world = await aWorld({ images: slow });
    const ms = await applied(
      world,
      aModelServing().groups(4).image('engine:v1').recreate().maxSurge(1).maxUnavailable(0).build(),
    );
    await world.setImage(ms, 'engine:v2');
    expect(await extremes(world)).toEqual({ least: 4, most: 5 });
    expect([...new Set(world.pods().map((pod) => nameOf(pod).split('-')[1]))]).toEqual(['0', '1', '2', '3']);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
  });

  it('works for the instances of a Role', async () => {
    const world = await aWorld({ images: slow });
    const manifest = aModelServing()
      .groups(1)
      .role('r', { replicas: 3, image: 'engine:v1', maxSurge: 1, maxUnavailable: 0 })
      .byRole()
      .recreate()
      .build();
    const ms = await applied(world, manifest);
    await world.setImage(ms, 'engine:v2');
    let least = 3;
    await world.until((now) => {
      const ready = now
        .pods()
        .filter(
          (pod) =>
            pod.metadata.deletionTimestamp === undefined &&
            pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
        );
      least = Math.min(least, ready.length);
      return rolledOut(now) && now.pods().length === 3;
    });
    expect(least).toBe(3);
    expect(world.pods().map(nameOf)).toEqual(['ms-0-r-0-0', 'ms-0-r-1-0', 'ms-0-r-2-0']);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
  });
});
