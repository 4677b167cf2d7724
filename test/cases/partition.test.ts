import { describe, expect, it } from 'vitest';
import { validate } from '../../src/api/index.ts';
import type { World } from '../../src/simulation/index.ts';
import { applied, aWorld, condition, deletePod, rolledOut, specImages, uids } from '../scenarios/world.ts';
import { aModelServing } from '../world/builders.ts';
import {
  countByName,
  editRole,
  editSpec,
  ordinals,
  podCreates,
  podDeletes,
  scaleTo,
  setDeletionCosts,
} from './helpers.ts';

const protectedGroups = (groups: number, partition: number) =>
  aModelServing().groups(groups).role('m').recreate().partition(partition);

const imageOf = (world: World, group: number): string => specImages(world.group(group)).join();
const imagesOf = (world: World): Readonly<Record<number, string>> =>
  Object.fromEntries(ordinals(world).map((group) => [group, imageOf(world, group)]));

/** Everything the rollout may reach is reached and serving. */
const calm = (world: World): boolean => {
  const { status, metadata, spec } = world.live();
  return (
    status?.observedGeneration === metadata.generation &&
    status?.availableReplicas === spec.replicas &&
    status?.replicas === spec.replicas &&
    condition(world, 'Available').startsWith('True')
  );
};

/** Only these of the groups 0 to `groups` - 1 remain. */
const keepOnly = async (world: World, groups: number, survivors: readonly number[]): Promise<void> => {
  const costs = Array.from({ length: groups }, (_, group) => [group, survivors.includes(group) ? 100 : -100]);
  await setDeletionCosts(world, Object.fromEntries(costs));
  await scaleTo(world, survivors.length);
  await world.until(calm);
  expect(ordinals(world)).toEqual(survivors);
};

describe('a group that the partition protects', () => {
  it('B039: comes back once on its old revision when it is lost, and stays', async () => {
    const world = await aWorld();
    const ms = await applied(world, protectedGroups(3, 2).build());
    await world.setImage(ms, 'engine:v2');
    await world.until((now) => imageOf(now, 2) === 'engine:v2' && calm(now));
    const mark = world.ledger.mark();
    await deletePod(world, 'ms-0-m-0-0');
    await world.run(2 * 60_000);
    expect(countByName(podCreates(world, mark))).toEqual({ 'ms-0-m-0-0': 1 });
    expect(podDeletes(world, mark)).toEqual([]);
    expect(imagesOf(world)).toEqual({ 0: 'engine:v1', 1: 'engine:v1', 2: 'engine:v2' });
  });

  it('B040: comes back as itself on its old revision, though it vanished while no operator ran', async () => {
    const world = await aWorld();
    const manifest = aModelServing().groups(3).role('m', { workers: 1 }).recreate().partition(2);
    const ms = await applied(world, manifest.recovery('ServingGroupRecreate').build());
    await world.setImage(ms, 'engine:v2');
    await world.until((now) => imageOf(now, 2) === 'engine:v2' && calm(now));
    world.killOperator();
    for (const name of ['ms-1-m-0-0', 'ms-1-m-0-1']) await deletePod(world, name, 0);
    world.startOperator();
    await world.until((now) => now.group(1).length === 2 && calm(now));
    expect(imagesOf(world)).toEqual({ 0: 'engine:v1', 1: 'engine:v1', 2: 'engine:v2' });
    expect(world.status()).toMatchObject({ currentReplicas: 2, updatedReplicas: 1 });
  });

  it('B043: is removed last when scaling down, whatever it costs', async () => {
    const world = await aWorld();
    const ms = await applied(world, protectedGroups(4, 2).build());
    await world.setImage(ms, 'engine:v2');
    await world.until((now) => imageOf(now, 3) === 'engine:v2' && imageOf(now, 2) === 'engine:v2' && calm(now));
    await setDeletionCosts(world, { 0: -100, 1: -100, 2: 100, 3: 200 });
    await scaleTo(world, 3);
    await world.until(calm);
    expect(ordinals(world)).toEqual([0, 1, 3]);
    await scaleTo(world, 1);
    await world.until(calm);
    expect(imagesOf(world)).toEqual({ 0: 'engine:v1' });
  });
});

describe('a partition as large as the replicas', () => {
  it('B044: is accepted, freezes the rollout, and lets the groups be scaled', async () => {
    for (const [replicas, partition] of [
      [0, 0],
      [2, 2],
      [1, 2],
    ] as const) {
      expect(validate(protectedGroups(replicas, partition).build()).errors).toEqual([]);
    }
    const world = await aWorld();
    const ms = await applied(world, protectedGroups(3, 3).build());
    await world.setImage(ms, 'engine:v2');
    await world.run(60_000);
    expect(imagesOf(world)).toEqual({ 0: 'engine:v1', 1: 'engine:v1', 2: 'engine:v1' });
    for (const replicas of [1, 2]) {
      await scaleTo(world, replicas);
      await world.until(calm);
    }
    expect(imagesOf(world)).toEqual({ 0: 'engine:v1', 1: 'engine:v1' });
  });

  it('B050: lets the conditions settle', async () => {
    const world = await aWorld();
    const ms = await applied(world, protectedGroups(3, 3).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(calm, 5_000);
    expect(condition(world, 'Progressing')).toMatch(/^False/);
    expect(condition(world, 'UpdateInProgress')).toMatch(/^(False|absent)/);
    expect(world.status()).toMatchObject({ observedGeneration: 2, updatedReplicas: 0, currentReplicas: 3 });
  });
});

describe('a partition over ordinals with holes', () => {
  it('B045: protects the first groups that exist, and goes on doing so until the rollout is over', async () => {
    const world = await aWorld({ images: { 'engine:v2': { readyAfterMs: 10_000 } } });
    const ms = await applied(world, protectedGroups(6, 0).build());
    await keepOnly(world, 6, [3, 4, 5]);
    await editSpec(world, () => protectedGroups(3, 2).build().spec);
    const before = uids(world);
    await world.setImage(ms, 'engine:v2');
    await world.until((now) => imageOf(now, 5) === 'engine:v2' && calm(now));
    await world.run(60_000);
    expect(imagesOf(world)).toEqual({ 3: 'engine:v1', 4: 'engine:v1', 5: 'engine:v2' });
    for (const name of ['ms-3-m-0-0', 'ms-4-m-0-0']) expect(uids(world)[name]).toBe(before[name]);
    expect(world.status()).toMatchObject({ updatedReplicas: 1, currentReplicas: 2 });
  });

  it('B045: does not move its border while a group that was taken down cannot be made again', async () => {
    const world = await aWorld();
    const ms = await applied(world, protectedGroups(6, 0).build());
    await keepOnly(world, 6, [3, 4, 5]);
    await editSpec(world, () => protectedGroups(3, 2).build().spec);
    await world.until(calm);
    const before = uids(world);
    const lift = world.cluster.admission({
      name: 'quota',
      admit: ({ operation, resource, subresource }) =>
        operation === 'CREATE' && resource === 'pods' && subresource === undefined
          ? { allowed: false, code: 403, message: 'exceeded quota: pods' }
          : { allowed: true },
    });
    await world.setImage(ms, 'engine:v2');
    await world.until((now) => ordinals(now).length === 2);
    for (let round = 0; round < 3; round += 1) {
      world.killOperator();
      world.startOperator();
      await world.run(20_000);
    }
    lift();
    await world.until((now) => imageOf(now, 5) === 'engine:v2' && calm(now));
    expect(imagesOf(world)).toEqual({ 3: 'engine:v1', 4: 'engine:v1', 5: 'engine:v2' });
    for (const name of ['ms-3-m-0-0', 'ms-4-m-0-0']) expect(uids(world)[name]).toBe(before[name]);
  });

  it('B047: fills holes below it with the old revision, those above it with the new one, and nothing beyond', async () => {
    const world = await aWorld();
    const ms = await applied(world, protectedGroups(5, 0).build());
    await keepOnly(world, 5, [0, 2]);
    await editSpec(world, () => protectedGroups(2, 3).build().spec);
    await world.setImage(ms, 'engine:v2');
    await world.until(calm);
    await scaleTo(world, 5);
    await world.until(calm);
    expect(imagesOf(world)).toEqual({
      0: 'engine:v1',
      1: 'engine:v1',
      2: 'engine:v1',
      3: 'engine:v2',
      4: 'engine:v2',
    });
  });
});

describe('a partition that cannot be read', () => {
  it('B048: holds the Role back, says which field is wrong, and the rollout goes on when it is corrected', async () => {
    const world = await aWorld();
    const ms = await applied(
      world,
      aModelServing().role('m', { replicas: 2, partition: 'abc%' }).byRole().recreate().build(),
    );
    await world.setImage(ms, 'engine:v2');
    await world.run(60_000);
    expect(podDeletes(world)).toEqual([]);
    expect(condition(world, 'UpdateInProgress')).toMatch(/^True .*spec\.template\.roles\[0\]\.partition.*abc%/);
    expect(world.events('InvalidPartition').map(({ message }) => message)).toEqual([
      expect.stringContaining('spec.template.roles[0].partition'),
    ]);
    await editRole(world, 'm', (role) => ({ ...role, partition: '50%' }));
    await world.until((now) => now.status().updatedReplicas === 0 && calm(now));
    const images = world.pods().map((pod) => pod.spec.containers[0]?.image);
    expect(images).toEqual(['engine:v1', 'engine:v2']);
    await editRole(world, 'm', ({ partition: _, ...role }) => role);
    await world.until(rolledOut);
  });
});
