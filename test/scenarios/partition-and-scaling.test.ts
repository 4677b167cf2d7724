import { describe, expect, it } from 'vitest';
import type { ModelServing } from '../../src/api/index.ts';
import { nameOf } from '../../src/objects/index.ts';
import type { World } from '../../src/simulation/index.ts';
import { aModelServing } from '../world/builders.ts';
import { withEntryContainers, withRoles } from '../world/edits.ts';
import { applied, aWorld, deletedPods, deletePod, places, rolledOut, specImages, uids } from './world.ts';

const slow = { 'engine:v2': { readyAfterMs: 20_000 } };
const groups = (count: number) => aModelServing().groups(count).image('engine:v1').inPlace();

const withReplicas = (live: ModelServing, replicas: number): ModelServing => ({
  ...live,
  spec: { ...live.spec, replicas },
});

const withPartition = (live: ModelServing, partition: number): ModelServing => ({
  ...live,
  spec: {
    ...live.spec,
    rolloutStrategy: { ...live.spec.rolloutStrategy, rollingUpdateConfiguration: { maxUnavailable: 1, partition } },
  },
});

const imageOfGroup = (world: World, group: number): string => specImages(world.group(group)).join();

/** Every group that exists is whole and available, and no update is open. */
const calm = (world: World): boolean => {
  const { spec, status, metadata } = world.live();
  const inUpdate = status?.conditions?.some(({ type, status: on }) => type === 'UpdateInProgress' && on === 'True');
  return (
    status?.observedGeneration === metadata.generation &&
    status?.availableReplicas === (spec.replicas ?? 1) &&
    status.replicas === (spec.replicas ?? 1) &&
    inUpdate !== true
  );
};

describe('the partition', () => {
  it('45: keeps the first groups on their revision; lowering it continues the rollout', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(4).partition(2).build());
    const first = world.status().currentRevision;
    await world.setImage(ms, 'engine:v2');
    await world.until((now) => imageOfGroup(now, 2) === 'engine:v2' && calm(now));
    expect([0, 1, 2, 3].map((group) => imageOfGroup(world, group))).toEqual([
      'engine:v1',
      'engine:v1',
      'engine:v2',
      'engine:v2',
    ]);
    expect(world.status()).toMatchObject({ currentRevision: first, updatedReplicas: 2, currentReplicas: 2 });
    await world.edit(ms, (live) => withPartition(live, 0));
    await world.until(rolledOut);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
  });

  it('46: raised while a group is in update, lets it finish and starts nothing else', async () => {
    const world = await aWorld({ images: slow });
    const ms = await applied(world, groups(4).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(() => imageOfGroup(world, 3) === 'engine:v2');
    await world.edit(ms, (live) => withPartition(live, 4));
    await world.run(5 * 60_000);
    expect([0, 1, 2, 3].map((group) => imageOfGroup(world, group))).toEqual([
      'engine:v1',
      'engine:v1',
      'engine:v1',
      'engine:v2',
    ]);
    expect(world.status().availableReplicas).toBe(4);
    expect(world.events('InPlaceUpdateCompleted')).toHaveLength(1);
  });

  it('48: a protected group that loses a Pod gets it from its own revision, and is available again', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(3).partition(2).build());
    await world.setImage(ms, 'engine:v2');
    await world.until((now) => imageOfGroup(now, 2) === 'engine:v2' && calm(now));
    const before = uids(world)['ms-0-r-0-0'];
    await deletePod(world, 'ms-0-r-0-0');
    await world.until((now) => ![undefined, before].includes(uids(now)['ms-0-r-0-0']) && calm(now));
    expect(imageOfGroup(world, 0)).toBe('engine:v1');
    expect(world.status().availableReplicas).toBe(3);
  });

  it('47: protects the first of the groups that exist, whatever their ordinals', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(6).build());
    // Ordinals 1, 3 and 5 remain: the others are cheaper to delete.
    for (const pod of world.pods()) {
      const cost = /^ms-[024]-/.test(nameOf(pod)) ? '-100' : '100';
      const body = { metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } } };
      const resource = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true };
      await world.finish(
        world.client.patch(resource, { namespace: 'default', name: nameOf(pod) }, { type: 'merge', body }),
      );
    }
    await world.edit(ms, (live) => withReplicas(live, 3));
    await world.until((now) => now.pods().length === 6 && calm(now));
    expect([...new Set(world.pods().map((pod) => nameOf(pod).split('-')[1]))]).toEqual(['1', '3', '5']);
    await world.edit(ms, (live) => withPartition(live, 1));
    await world.setImage(ms, 'engine:v2');
    await world.until((now) => imageOfGroup(now, 3) === 'engine:v2' && calm(now));
    expect([1, 3, 5].map((group) => imageOfGroup(world, group))).toEqual(['engine:v1', 'engine:v2', 'engine:v2']);
    const started = world.events('InPlaceUpdateStarted').map(({ message }) => message?.split(':')[0]);
    expect(started).toEqual(['ms-5', 'ms-3']);
  });
});

describe('scaling during a rollout', () => {
  it('49: new groups come at the new revision and count as unavailable until they are Ready', async () => {
    const world = await aWorld({ images: slow });
    const ms = await applied(world, groups(4).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(() => imageOfGroup(world, 3) === 'engine:v2');
    await world.edit(ms, (live) => withReplicas(live, 6));
    await world.until(() => world.pods().length === 12);
    expect([imageOfGroup(world, 4), imageOfGroup(world, 5)]).toEqual(['engine:v2', 'engine:v2']);
    expect([0, 1, 2].map((group) => imageOfGroup(world, group))).toEqual(['engine:v1', 'engine:v1', 'engine:v1']);
    await world.until(rolledOut);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
  });

  it('50: a group that is in update may be scaled away, and the rollout goes on', async () => {
    const world = await aWorld({ images: slow });
    const ms = await applied(world, groups(4).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(() => imageOfGroup(world, 3) === 'engine:v2');
    await world.edit(ms, (live) => withReplicas(live, 2));
    await world.until(rolledOut);
    expect(world.pods().map(nameOf)).toEqual(['ms-0-r-0-0', 'ms-0-r-0-1', 'ms-1-r-0-0', 'ms-1-r-0-1']);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
    expect(world.seen.services.list()).toHaveLength(2);
  });

  it('51: a new role instance in an outdated group is made from that group, and updated later in place', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(2).build());
    await world.edit(ms, (live) => ({
      ...live,
      spec: aModelServing().groups(2).role('r', { replicas: 2, workers: 1, image: 'engine:v2' }).inPlace().build().spec,
    }));
    await world.until(rolledOut);
    expect(world.pods()).toHaveLength(8);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
    expect(deletedPods(world)).toEqual([]);
    const created = world.ledger.writes({ resource: 'pods', verb: 'create' }).map(({ name }) => name);
    expect(new Set(created).size).toBe(created.length);
  });

  it('52: a role instance added while the group is in update comes at the target, and the group waits for it', async () => {
    const world = await aWorld({ images: slow });
    const ms = await applied(world, groups(1).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(() => imageOfGroup(world, 0) === 'engine:v2');
    await world.edit(ms, (live) => withRoles(live, (role) => ({ ...role, replicas: 2 })));
    await world.until(() => world.pods().length === 4);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
    await world.until(rolledOut);
    expect(deletedPods(world)).toEqual([]);
  });
});

describe('switches in the middle', () => {
  it('64: InPlace to Recreate takes down the group in update, and leaves the one that completed alone', async () => {
    const world = await aWorld({ images: { 'engine:v2': { readyAfterMs: 5_000 } } });
    const ms = await applied(world, groups(3).build());
    const before = uids(world);
    await world.setImage(ms, 'engine:v2');
    await world.until(
      () => world.events('InPlaceUpdateCompleted').length === 1 && imageOfGroup(world, 1) === 'engine:v2',
    );
    await world.edit(ms, (live) => ({
      ...live,
      spec: { ...live.spec, rolloutStrategy: { ...live.spec.rolloutStrategy, updateMethod: 'Recreate' as const } },
    }));
    await world.until(rolledOut);
    const after = uids(world);
    expect(after['ms-2-r-0-0']).toBe(before['ms-2-r-0-0']);
    expect(after['ms-1-r-0-0']).not.toBe(before['ms-1-r-0-0']);
    expect(after['ms-0-r-0-0']).not.toBe(before['ms-0-r-0-0']);
  });

  it('15: an omitted value written out is the same revision: no ControllerRevision, no Pod write', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(1).build());
    const mark = world.ledger.mark();
    await world.edit(ms, (live) =>
      withRoles(live, (role) => {
        const written = withEntryContainers(role, (c) => ({ ...c, imagePullPolicy: 'IfNotPresent' }));
        const spec = { containers: [], ...written.entryTemplate.spec, restartPolicy: 'Always' as const };
        return { ...written, entryTemplate: { ...written.entryTemplate, spec } };
      }),
    );
    await world.until(rolledOut);
    await world.run(60_000);
    const writes = world.ledger.since(mark).writes();
    expect(writes.filter(({ resource }) => resource === 'pods' || resource === 'controllerrevisions')).toEqual([]);
  });

  it('68: revisions that labels and markers refer to stay, whatever the history limit', async () => {
    const world = await aWorld({ images: slow });
    const ms = await applied(
      world,
      groups(2)
        .with((spec) => ({ ...spec, revisionHistoryLimit: 0 }))
        .build(),
    );
    const before = places(world);
    await world.setImage(ms, 'engine:v2');
    await world.until(() => imageOfGroup(world, 1) === 'engine:v2');
    await world.setImage(ms, 'engine:v3');
    await world.until(() => imageOfGroup(world, 1) === 'engine:v3');
    expect(world.seen.revisions.list()).toHaveLength(3);
    await world.until(rolledOut);
    expect(places(world)).toEqual(before);
    await world.run(60_000);
    expect(world.seen.revisions.list()).toHaveLength(1);
  });

  it('a pause starts nothing, lets the running group finish, and ends where it is taken away', async () => {
    const world = await aWorld({ images: slow });
    const ms = await applied(world, groups(3).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(() => imageOfGroup(world, 2) === 'engine:v2');
    const pause = (value: string | null) =>
      world.edit(ms, (live) => {
        const { 'modelserving.volcano.sh/paused': _, ...annotations } = live.metadata.annotations ?? {};
        const next = value === null ? annotations : { ...annotations, 'modelserving.volcano.sh/paused': value };
        return { ...live, metadata: { ...live.metadata, annotations: next } };
      });
    await pause('true');
    await world.run(5 * 60_000);
    expect([0, 1, 2].map((group) => imageOfGroup(world, group))).toEqual(['engine:v1', 'engine:v1', 'engine:v2']);
    expect(JSON.stringify(world.status().conditions)).toContain('remove the annotation modelserving.volcano.sh/paused');
    await pause(null);
    await world.until(rolledOut);
  });
});
