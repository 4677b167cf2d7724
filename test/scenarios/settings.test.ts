import { describe, expect, it } from 'vitest';
import type { ModelServing } from '../../src/api/index.ts';
import { aModelServing } from '../world/builders.ts';
import { withEntryContainers, withRoles } from '../world/edits.ts';
import { applied, aWorld, deletedPods, places, rolledOut, specImages, uids } from './world.ts';

const groups = (count: number) => aModelServing().groups(count).image('engine:v1').inPlace();

const withEnv = (live: ModelServing, image: string): ModelServing =>
  withRoles(live, (role) =>
    withEntryContainers(role, (container) => ({ ...container, image, env: [{ name: 'MODE', value: 'fast' }] })),
  );

describe('what an image patch cannot apply', () => {
  it('5: env and image together recreate the groups within the budget, and the event names the env', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(2).build());
    const before = uids(world);
    await world.edit(ms, (live) => withEnv(live, 'engine:v2'));
    await world.until(rolledOut);
    const events = world.events('InPlaceUpdateFallback');
    expect(events.map(({ message }) => message?.split(' ')[0])).toEqual(['ms-1', 'ms-0']);
    expect(events[0]?.type).toBe('Warning');
    expect(events[0]?.message).toMatch(/env/);
    for (const [name, uid] of Object.entries(uids(world))) expect(before[name]).not.toBe(uid);
  });

  it('66: a history that is gone is not guessed about', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(1).build());
    const revision = world.seen.revisions.list()[0];
    world.killOperator();
    await world.finish(
      world.client.delete(
        { group: 'apps', version: 'v1', plural: 'controllerrevisions', kind: 'ControllerRevision', namespaced: true },
        { namespace: 'default', name: revision?.metadata.name ?? '' },
      ),
    );
    await world.setImage(ms, 'engine:v2');
    world.startOperator();
    await world.until(rolledOut);
    expect(world.events('InPlaceUpdateFallback')[0]?.message).toMatch(/history/);
  });
});

describe('the update method and its deadline', () => {
  it('65: a switch to InPlace and an image in one edit go in place at once', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().groups(2).image('engine:v1').build());
    const before = places(world);
    await world.edit(ms, (live) => ({ ...live, spec: groups(2).image('engine:v2').build().spec }));
    await world.until(rolledOut);
    expect(places(world)).toEqual(before);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
  });

  it('33: unset is 1800 s and is not written into the spec; below 60 the API server refuses', async () => {
    const world = await aWorld({ images: { 'engine:bad': { neverReady: true } } });
    const ms = await applied(world, groups(1).build());
    await world.setImage(ms, 'engine:bad');
    await world.run(1_790_000);
    expect(world.events('ProgressDeadlineExceeded')).toEqual([]);
    await world.run(30_000);
    expect(world.events('ProgressDeadlineExceeded')).toHaveLength(1);
    expect(world.live().spec.rolloutStrategy?.progressDeadlineSeconds).toBeUndefined();
    await expect(
      world.apply(aModelServing({ name: 'short' }).groups(1).image('engine:v1').inPlace().deadline(30).build()),
    ).rejects.toThrow(/progressDeadlineSeconds.*greater than or equal to 60/);
  });

  it('77: a failed group follows the revert although the partition now protects its rank', async () => {
    const world = await aWorld({ images: { 'engine:bad': { neverReady: true } } });
    const ms = await applied(world, groups(4).deadline(60).recovery('None').build());
    const before = places(world);
    await world.setImage(ms, 'engine:bad');
    await world.until(() => world.events('ProgressDeadlineExceeded').length === 1);
    await world.edit(ms, (live) => ({
      ...live,
      spec: groups(4).deadline(60).recovery('None').partition(4).image('engine:v1').build().spec,
    }));
    await world.until(() => specImages(world.pods()).join() === 'engine:v1' && world.status().availableReplicas === 4);
    expect(places(world)).toEqual(before);
    expect(deletedPods(world)).toEqual([]);
  });

  it('78: a group that is Ready and only settles when the deadline passes is judged when the settle ends', async () => {
    const images = { 'engine:v1': { content: 'same', ignoresTerm: true }, 'engine:v2': { content: 'same' } };
    const world = await aWorld({ images });
    const manifest = aModelServing().groups(1).role('r', { graceSeconds: 40 }).inPlace().deadline(60).build();
    const ms = await applied(world, manifest);
    // The first status at the new generation is missed, so only the long wait can tell.
    await world.setImage(ms, 'engine:v2');
    await world.until(() => specImages(world.pods()).join() === 'engine:v2');
    world.killOperator();
    await world.run(50_000);
    world.startOperator();
    await world.until(rolledOut, 60 * 60_000);
    expect(world.events('ProgressDeadlineExceeded')).toEqual([]);
    expect(deletedPods(world)).toEqual([]);
  });

  it('84: at the deadline only the Role that is not Ready is recreated, once, though the bad image stays', async () => {
    const world = await aWorld({ images: { 'engine:bad': { neverReady: true } } });
    const manifest = aModelServing().groups(2).inPlace().role('a', { workers: 1 }).role('b').deadline(60).build();
    const ms = await applied(world, manifest);
    await world.setImage(ms, 'engine:bad', 'a');
    await world.until(() => world.events('ProgressDeadlineExceeded').length === 1);
    await world.run(30 * 60_000);
    expect([...deletedPods(world)].sort()).toEqual(['ms-1-a-0-0', 'ms-1-a-0-1']);
    expect(world.events('ProgressDeadlineExceeded')).toHaveLength(1);
  });
});
