import { describe, expect, it } from 'vitest';
import type { World } from '../../src/simulation/index.ts';
import { aModelServing } from '../world/builders.ts';
import { applied, aWorld, condition, deletedPods, places, podNamed, rolledOut, specImages } from './world.ts';

const images = { 'engine:bad': { neverReady: true }, 'engine:missing': { pullError: 'not found' } };
const groups = (count: number) => aModelServing().groups(count).image('engine:v1').inPlace();

/** How many groups have a Pod at the image. */
const groupsAt = (world: World, image: string): number =>
  [0, 1, 2, 3].filter((ordinal) => specImages(world.group(ordinal)).includes(image)).length;

describe('the budget', () => {
  it('41: 50 % of four groups are two at most, and a failed one stops the third', async () => {
    const world = await aWorld({ images });
    const ms = await applied(world, groups(4).maxUnavailable('50%').deadline(60).recovery('None').build());
    await world.setImage(ms, 'engine:bad');
    await world.run(30_000);
    expect(groupsAt(world, 'engine:bad')).toBe(2);
    await world.until(() => world.events('ProgressDeadlineExceeded').length === 2);
    await world.run(10 * 60_000);
    expect(groupsAt(world, 'engine:bad')).toBe(2);
    expect(world.status().availableReplicas).toBe(2);
    expect(condition(world, 'UpdateInProgress')).toMatch(/no unit starts .* because group \d failed on it/);
  });

  it('41: a larger budget lets no further group near an image on which one has failed', async () => {
    const world = await aWorld({ images });
    const ms = await applied(world, groups(4).maxUnavailable(1).deadline(60).recovery('None').build());
    await world.setImage(ms, 'engine:bad');
    await world.until(() => world.events('ProgressDeadlineExceeded').length === 1);
    await world.edit(ms, (live) => ({
      ...live,
      spec: { ...groups(4).maxUnavailable(3).deadline(60).recovery('None').build().spec, template: live.spec.template },
    }));
    await world.run(10 * 60_000);
    expect(groupsAt(world, 'engine:bad')).toBe(1);
    expect(world.status().availableReplicas).toBe(3);
  });

  it('42: 10 % of four groups act as one', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(4).maxUnavailable('10%').build());
    await world.setImage(ms, 'engine:v2');
    let most = 0;
    await world.until((now) => {
      most = Math.max(most, 4 - (now.status().availableReplicas ?? 0));
      return rolledOut(now);
    });
    expect(most).toBe(1);
  });

  it('43: one group that is down lets no healthy group start', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(4).build());
    world.cluster.nodes.setReady(podNamed(world, 'ms-0-r-0-0'), 'c', false);
    await world.until(() => world.status().availableReplicas === 3);
    await world.setImage(ms, 'engine:v2');
    await world.run(60_000);
    // The one that is down costs nothing, so it goes first; no healthy one may follow before it is back.
    expect(specImages([...world.group(1), ...world.group(2), ...world.group(3)])).toEqual(['engine:v1']);
    expect(specImages(world.group(0))).toEqual(['engine:v2']);
  });

  it('44: groups that are all unhealthy on a bad image start although none is available, within the quota', async () => {
    const world = await aWorld({ images });
    const ms = await world.apply(aModelServing().groups(4).image('engine:missing').inPlace().build());
    await world.until(() => world.pods().length === 8);
    await world.run(60_000);
    await world.setImage(ms, 'engine:v2');
    await world.until(() => groupsAt(world, 'engine:v2') > 0);
    expect(groupsAt(world, 'engine:v2')).toBe(1);
    const before = places(world);
    await world.until(rolledOut);
    expect(places(world)).toEqual(before);
    expect(deletedPods(world)).toEqual([]);
  });
});

describe('a rollout by recreation', () => {
  it('B018: never takes more groups down than maxUnavailable, also between their end and their return', async () => {
    const world = await aWorld({ images: { 'engine:v2': { readyAfterMs: 10_000 } } });
    const ms = await applied(world, aModelServing().groups(4).image('engine:v1').recreate().maxUnavailable(2).build());
    await world.setImage(ms, 'engine:v2');
    const readyGroups = () =>
      [0, 1, 2, 3].filter((ordinal) => {
        const pods = world.group(ordinal);
        return (
          pods.length === 2 &&
          pods.every(
            (pod) =>
              pod.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') &&
              pod.metadata.deletionTimestamp === undefined,
          )
        );
      }).length;
    let least = 4;
    await world.until((now) => {
      least = Math.min(least, readyGroups());
      return rolledOut(now);
    });
    expect(least).toBe(2);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
  });

  it('B019: takes the unhealthy group first, and the healthy one only when that is back', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().groups(2).image('engine:v1').recreate().build());
    world.cluster.nodes.setReady(podNamed(world, 'ms-0-r-0-0'), 'c', false);
    await world.until(() => world.status().availableReplicas === 1);
    await world.setImage(ms, 'engine:v2');
    let least = 2;
    await world.until((now) => {
      least = Math.min(least, now.status().availableReplicas ?? 0);
      return rolledOut(now);
    });
    expect(least).toBe(1);
    expect(deletedPods(world).slice(0, 2).sort()).toEqual(['ms-0-r-0-0', 'ms-0-r-0-1']);
  });

  it('B017: heals groups that are all unavailable on a bad image', async () => {
    const world = await aWorld({ images });
    const ms = await world.apply(aModelServing().groups(4).image('engine:missing').recreate().build());
    await world.until(() => world.pods().length === 8);
    await world.run(60_000);
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
  });

  it('B025: a second change in the middle replaces the group that never got Ready at once, then the rest', async () => {
    const world = await aWorld({ images });
    const ms = await applied(world, aModelServing().groups(3).image('engine:v1').recreate().build());
    await world.setImage(ms, 'engine:bad');
    await world.until(() => specImages(world.group(2)).join() === 'engine:bad');
    await world.run(30_000);
    await world.setImage(ms, 'engine:v3');
    await world.until(rolledOut);
    expect(specImages(world.pods())).toEqual(['engine:v3']);
    expect(world.status().updatedReplicas).toBe(3);
  });

  it('B026: going back heals the group of the bad template and leaves the other alone', async () => {
    const world = await aWorld({ images });
    const ms = await applied(world, aModelServing().groups(2).image('engine:v1').recreate().build());
    const first = world.status().currentRevision;
    const before = places(world);
    await world.setImage(ms, 'engine:missing');
    await world.until(() => specImages(world.group(1)).join() === 'engine:missing');
    await world.setImage(ms, 'engine:v1');
    await world.until(rolledOut);
    const after = places(world);
    for (const name of ['ms-0-r-0-0', 'ms-0-r-0-1']) expect(after[name]).toBe(before[name]);
    expect(world.status().updateRevision).toBe(first);
    expect(world.seen.revisions.list()).toHaveLength(2);
  });
});
