import { describe, expect, it } from 'vitest';
import { nameOf } from '../../src/objects/index.ts';
import { applied, aWorld, deletedPods, rolledOut, specImages, uids } from '../scenarios/world.ts';
import { aModelServing } from '../world/builders.ts';
import { countByName, editRole, editSpec, isServing, podCreates, podDeletes, scaleTo, watchNumber } from './helpers.ts';

const slow = { 'engine:v2': { readyAfterMs: 20_000 } };

describe('a rollout by recreation', () => {
  it('B016: of the smallest ModelServing there is, brings its only Pod back on the new image', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().role('m').recovery('RoleRecreate').recreate().build());
    const first = world.status().currentRevision;
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
    expect(world.status()).toMatchObject({ replicas: 1, updatedReplicas: 1, availableReplicas: 1 });
    expect(world.status().currentRevision).not.toBe(first);
  });

  it('B038: takes one group at a time, all Pods of it together', async () => {
    const world = await aWorld({ images: slow });
    const ms = await applied(world, aModelServing().groups(3).role('m', { workers: 3 }).recreate().build());
    const mark = world.ledger.mark();
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    const groupOf = (name: string): string => name.slice(0, 'ms-0'.length);
    const steps = [...podDeletes(world, mark), ...podCreates(world, mark)]
      .sort((a, b) => Number(a.resourceVersion) - Number(b.resourceVersion))
      .map(({ verb, name }) => `${verb} ${groupOf(name)}`);
    const four = (step: string): readonly string[] => [step, step, step, step];
    expect(steps).toEqual(
      ['ms-2', 'ms-1', 'ms-0'].flatMap((group) => [...four(`delete ${group}`), ...four(`create ${group}`)]),
    );
    const instants = [2, 1, 0].map((group) => {
      const at = podDeletes(world, mark).filter(({ name }) => groupOf(name) === `ms-${group}`);
      return Math.max(...at.map(({ atMs }) => atMs)) - Math.min(...at.map(({ atMs }) => atMs));
    });
    expect(Math.max(...instants)).toBeLessThan(100);
  });

  it('B024: with a maxUnavailable above the replicas takes down what is outdated, and after scaling up nothing else', async () => {
    const world = await aWorld({ images: slow });
    const ms = await applied(world, aModelServing().groups(2).role('m').recreate().maxUnavailable(5).build());
    const mark = world.ledger.mark();
    await world.setImage(ms, 'engine:v2');
    await world.until(() => podDeletes(world, mark).length === 2);
    await scaleTo(world, 6);
    await world.until(rolledOut);
    expect(countByName(podDeletes(world, mark))).toEqual({ 'ms-0-m-0-0': 1, 'ms-1-m-0-0': 1 });
    expect(Object.values(countByName(podCreates(world, mark)))).toEqual([1, 1, 1, 1, 1, 1]);

    // Six groups, five may be unavailable: one serves throughout.
    await world.setImage(ms, 'engine:v3');
    const { least } = await watchNumber(world, () => world.pods().filter(isServing).length, rolledOut);
    expect(least).toBe(1);
  });
});

describe('an update by Role', () => {
  for (const limit of [1, undefined] as const) {
    it(`B020: takes one instance at a time (maxUnavailable ${limit ?? 'unset'})`, async () => {
      const world = await aWorld({ images: slow });
      const decode = limit === undefined ? { replicas: 4 } : { replicas: 4, maxUnavailable: limit };
      const ms = await applied(
        world,
        aModelServing().role('prefill').role('decode', decode).byRole().recreate().build(),
      );
      const before = uids(world);
      await world.setImage(ms, 'engine:v2', 'decode');
      const serving = (): number =>
        world.pods().filter((pod) => nameOf(pod).includes('decode') && isServing(pod)).length;
      const { least } = await watchNumber(world, serving, rolledOut);
      expect(least).toBe(3);
      expect(uids(world)['ms-0-prefill-0-0']).toBe(before['ms-0-prefill-0-0']);
      expect(specImages(world.pods().filter((pod) => nameOf(pod).includes('decode')))).toEqual(['engine:v2']);
    });
  }

  it('B037: of one Role leaves the Pods of the other where they are', async () => {
    const world = await aWorld();
    const ms = await applied(
      world,
      aModelServing().role('prefill').role('decode', { replicas: 2 }).byRole().recreate().build(),
    );
    const before = uids(world);
    await world.setImage(ms, 'engine:v2', 'prefill');
    await world.until(rolledOut);
    const { 'ms-0-prefill-0-0': prefill, ...decode } = uids(world);
    expect(prefill).not.toBe(before['ms-0-prefill-0-0']);
    expect(before).toMatchObject(decode);
    const revisions = world.pods().map(({ metadata }) => metadata.labels?.['modelserving.volcano.sh/revision']);
    expect(new Set(revisions)).toEqual(new Set([world.status().updateRevision]));
    expect(world.status().updatedReplicas).toBe(1);
  });
});

describe('the knobs of a rollout', () => {
  it('B033: of Roles mean nothing in a rollout by groups', async () => {
    const world = await aWorld();
    const role = { replicas: 2, partition: 1, maxUnavailable: 1 };
    const ms = await applied(world, aModelServing().groups(2).role('m', role).recreate().build());
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
  });

  it('B033: of groups mean nothing in a rollout by Roles', async () => {
    const world = await aWorld();
    const ms = await applied(
      world,
      aModelServing().groups(2).role('m', { replicas: 2 }).byRole().recreate().partition(2).build(),
    );
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
  });
});

describe('edits of several things', () => {
  it('B027: a burst of Role replicas is scaling and nothing else', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().role('w').role('other', { workers: 1 }).recreate().build());
    const before = uids(world);
    const revision = world.status().updateRevision;
    for (const replicas of [2, 3, 4, 2, 5]) {
      await editRole(world, 'w', (role) => ({ ...role, replicas }));
      await world.run(800);
      expect(world.status().updatedReplicas).toBeLessThanOrEqual(1);
    }
    await world.until(rolledOut);
    expect(uids(world)).toMatchObject(before);
    expect(world.pods().filter((pod) => nameOf(pod).includes('-w-'))).toHaveLength(5);
    expect(world.status().updateRevision).toBe(revision);
    expect(world.seen.revisions.list()).toHaveLength(1);
  });

  it('B034: more replicas and a new image at once, under a partition, end with new groups at the new image', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().groups(3).role('m').recreate().partition(2).build());
    const before = uids(world);
    await editSpec(
      world,
      () => aModelServing().groups(5).role('m', { image: 'engine:v2' }).recreate().partition(2).build().spec,
    );
    await world.until(() => world.status().availableReplicas === 5 && world.status().updatedReplicas === 3);
    await world.run(60_000);
    expect([0, 1, 2, 3, 4].map((group) => specImages(world.group(group)).join())).toEqual([
      'engine:v1',
      'engine:v1',
      'engine:v2',
      'engine:v2',
      'engine:v2',
    ]);
    expect(world.status()).toMatchObject({ replicas: 5, availableReplicas: 5, updatedReplicas: 3, currentReplicas: 2 });
    expect(deletedPods(world)).toContain('ms-2-m-0-0');
    for (const name of ['ms-0-m-0-0', 'ms-1-m-0-0']) expect(uids(world)[name]).toBe(before[name]);
    expect(
      world
        .status()
        .conditions?.filter(({ status }) => status === 'True')
        .map(({ type }) => type),
    ).toEqual(['Available']);
  });

  it('B035: another scheduler rolls the groups, one at a time; topology alone restarts nothing', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().groups(2).role('m').recreate().build());
    const before = uids(world);
    const mark = world.ledger.mark();
    const networkTopology = { groupPolicy: { mode: 'hard' as const, highestTierAllowed: 2 } };
    await editSpec(world, (spec) => ({ ...spec, template: { ...spec.template, networkTopology } }));
    await world.until(rolledOut);
    await world.run(60_000);
    expect(world.ledger.since(mark).writes({ resource: 'pods' })).toEqual([]);
    expect(uids(world)).toEqual(before);
    const [revision] = world.seen.revisions.list();
    expect(JSON.stringify(revision?.metadata.annotations)).toContain('highestTierAllowed');

    await editSpec(world, (spec) => ({ ...spec, schedulerName: 'other-scheduler' }));
    const { least } = await watchNumber(world, () => world.pods().filter(isServing).length, rolledOut);
    expect(least).toBe(1);
    expect(world.pods().map(({ spec }) => spec.schedulerName)).toEqual(['other-scheduler', 'other-scheduler']);
    for (const [name, uid] of Object.entries(uids(world))) expect(uid).not.toBe(before[name]);
  });
});
