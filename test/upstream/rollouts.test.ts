import { describe, expect, it } from 'vitest';
import { nameOf } from '../../src/objects/index.ts';
import type { World } from '../../src/simulation/index.ts';
import { isServing, ordinals, scaleTo, statusWrites } from '../cases/helpers.ts';
import { applied, aWorld, deletePod, rolledOut, specImages, uids } from '../scenarios/world.ts';
import { aModelServing } from '../world/builders.ts';

const images = { 'engine:missing': { pullError: 'not found' } };

const podsOfRole = (world: World, role: string) => world.pods().filter((pod) => nameOf(pod).includes(`-${role}-`));

const imageOf = (world: World, name: string): string =>
  specImages(world.pods().filter((pod) => nameOf(pod).startsWith(name))).join();

/** Image by ordinal of the group. */
const imagesOf = (world: World): Readonly<Record<number, string>> =>
  Object.fromEntries(ordinals(world).map((ordinal) => [ordinal, specImages(world.group(ordinal)).join()]));

/** The most groups that any status called unavailable. */
const mostUnavailable = (world: World, from: number): number =>
  Math.max(
    ...statusWrites(world, from).map(({ object }) => {
      const status = (object as ReturnType<World['live']>).status;
      return (status?.replicas ?? 0) - (status?.availableReplicas ?? 0);
    }),
  );

describe('a rolling update', () => {
  it('RollingUpdate: brings every container of every Pod to the new image, and the status says so', async () => {
    const world = await aWorld();
    const manifest = aModelServing()
      .groups(3)
      .role('m', { workers: 1, images: { c: 'engine:v1', side: 'engine:v1' } });
    const ms = await applied(world, manifest.recreate().build());
    const initial = world.status().currentRevision;
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    const containers = world.pods().flatMap(({ spec }) => spec.containers);
    expect(new Set(containers.map(({ image }) => image))).toEqual(new Set(['engine:v2']));
    expect(world.status()).toMatchObject({ replicas: 3, availableReplicas: 3, updatedReplicas: 3 });
    expect(world.status().currentRevision).toBe(world.status().updateRevision);
    expect(world.status().currentRevision).not.toBe(initial);
    expect(ordinals(world)).toEqual([0, 1, 2]);
  });

  it('RollingUpdateMaxUnavailable: never calls more groups unavailable than allowed', async () => {
    const world = await aWorld({ images: { 'engine:v2': { readyAfterMs: 3_000 } } });
    const manifest = aModelServing().groups(4).role('m', { replicas: 4 }).recreate().maxUnavailable(2);
    const ms = await applied(world, manifest.build());
    const mark = world.ledger.mark();
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    expect(mostUnavailable(world, mark)).toBe(2);
  });

  it('RollingUpdateMaxUnavailableWithBadImage: not even for an image that does not exist', async () => {
    const world = await aWorld({ images });
    const ms = await applied(world, aModelServing().groups(6).role('m').recreate().maxUnavailable(2).build());
    const mark = world.ledger.mark();
    await world.setImage(ms, 'engine:missing');
    await world.run(60_000);
    expect(mostUnavailable(world, mark)).toBe(2);
    expect(world.pods().filter(isServing)).toHaveLength(4);
  });

  it('RoleBasedRollingUpdate: of one Role keeps names, UIDs and images of the other', async () => {
    const world = await aWorld();
    const manifest = aModelServing().groups(2).role('prefill', { replicas: 2 }).role('decode').byRole().recreate();
    const ms = await applied(world, manifest.build());
    const before = podsOfRole(world, 'decode').map(({ metadata }) => metadata.uid);
    await world.setImage(ms, 'engine:v2', 'prefill');
    await world.until(rolledOut);
    expect(specImages(podsOfRole(world, 'prefill'))).toEqual(['engine:v2']);
    expect(podsOfRole(world, 'decode').map(({ metadata }) => metadata.uid)).toEqual(before);
    expect(specImages(podsOfRole(world, 'decode'))).toEqual(['engine:v1']);
    expect(world.status().availableReplicas).toBe(2);
  });

  it('RoleRollingUpdateMaxUnavailable: a bad image reaches as many instances as may be unavailable', async () => {
    const world = await aWorld({ images });
    const prefill = { replicas: 4, maxUnavailable: 2 };
    const ms = await applied(
      world,
      aModelServing().role('prefill', prefill).role('decode').byRole().recreate().build(),
    );
    const decode = uids(world)['ms-0-decode-0-0'];
    await world.setImage(ms, 'engine:missing', 'prefill');
    await world.run(2 * 60_000);
    for (let second = 0; second < 30; second += 1) {
      const serving = podsOfRole(world, 'prefill').filter(isServing);
      expect(serving.map((pod) => pod.spec.containers[0]?.image)).toEqual(['engine:v1', 'engine:v1']);
      expect(podsOfRole(world, 'prefill')).toHaveLength(4);
      await world.run(1_000);
    }
    expect(uids(world)['ms-0-decode-0-0']).toBe(decode);
  });
});

describe('a partition', () => {
  /** Five groups, three of them protected, rolled out as far as the partition allows. */
  const partitioned = async (): Promise<{ readonly world: World; readonly initial: string | undefined }> => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().groups(5).role('m').recreate().partition(3).build());
    const initial = world.status().currentRevision;
    await world.setImage(ms, 'engine:v2');
    await world.until((now) => now.status().updatedReplicas === 2 && now.status().availableReplicas === 5);
    return { world, initial };
  };
  const old = { 0: 'engine:v1', 1: 'engine:v1', 2: 'engine:v1' };

  it('PartitionBoundaryProtection: keeps the first groups on the initial revision', async () => {
    const { world, initial } = await partitioned();
    expect(imagesOf(world)).toEqual({ ...old, 3: 'engine:v2', 4: 'engine:v2' });
    expect(world.status().currentRevision).toBe(initial);
    expect(world.status().updateRevision).not.toBe(initial);
  });

  it('PartitionDeletedGroupHistoricalRevision: makes a protected group again from the initial revision', async () => {
    const { world, initial } = await partitioned();
    const { updateRevision } = world.status();
    const before = uids(world)['ms-1-m-0-0'];
    await deletePod(world, 'ms-1-m-0-0');
    await world.until((now) => now.group(1).some((pod) => isServing(pod) && pod.metadata.uid !== before));
    expect(world.group(1)[0]?.metadata.labels?.['modelserving.volcano.sh/revision']).toBe(initial);
    expect(imagesOf(world)).toMatchObject(old);
    expect(world.status()).toMatchObject({ currentRevision: initial, updateRevision });
  });

  it('PartitionScaleUp: makes new groups at the new revision', async () => {
    const { world, initial } = await partitioned();
    await scaleTo(world, 7);
    await world.until((now) => now.status().availableReplicas === 7);
    const updated = { 3: 'engine:v2', 4: 'engine:v2', 5: 'engine:v2', 6: 'engine:v2' };
    expect(imagesOf(world)).toEqual({ ...old, ...updated });
    expect(world.status().currentRevision).toBe(initial);
  });

  it('PartitionScaleDown: removes the unprotected groups, and counts what is left', async () => {
    const { world } = await partitioned();
    await scaleTo(world, 3);
    await world.until((now) => now.pods().length === 3 && now.status().replicas === 3);
    expect(imagesOf(world)).toEqual(old);
    expect(world.status()).toMatchObject({ updatedReplicas: 0, currentReplicas: 3, availableReplicas: 3 });
  });
});

describe('a partition of a Role', () => {
  /** One group; a Role of some instances, the first of them protected, rolled out as far as that allows. */
  const partitioned = async (replicas: number, partition: number): Promise<World> => {
    const world = await aWorld();
    const prefill = { replicas, partition, maxUnavailable: replicas };
    const ms = await applied(world, aModelServing().role('prefill', prefill).byRole().recreate().build());
    await world.setImage(ms, 'engine:v2');
    const last = `ms-0-prefill-${replicas - 1}-0`;
    await world.until((now) => imageOf(now, last) === 'engine:v2' && now.pods().filter(isServing).length === replicas);
    return world;
  };
  const images = (world: World): readonly string[] => world.pods().map((pod) => imageOf(world, nameOf(pod)));

  it('RoleRollingUpdatePartition: keeps its first instances on the old image', async () => {
    const world = await partitioned(4, 2);
    await world.until((now) => images(now).join() === 'engine:v1,engine:v1,engine:v2,engine:v2');
  });

  it('RolePartitionScaleUp: makes a protected instance again from the initial revision', async () => {
    const world = await partitioned(3, 1);
    await world.until((now) => images(now).join() === 'engine:v1,engine:v2,engine:v2');
    const { currentRevision } = world.status();
    const before = uids(world)['ms-0-prefill-0-0'];
    await deletePod(world, 'ms-0-prefill-0-0');
    await world.until((now) => ![undefined, before].includes(uids(now)['ms-0-prefill-0-0']));
    expect(images(world)).toEqual(['engine:v1', 'engine:v2', 'engine:v2']);
    expect(world.pods()[0]?.metadata.labels?.['modelserving.volcano.sh/revision']).toBe(currentRevision);
  });
});
