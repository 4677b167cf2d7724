import { describe, expect, it } from 'vitest';
import { modelServingResource } from '../../src/api/index.ts';
import { nameOf, uidOf } from '../../src/objects/index.ts';
import type { World } from '../../src/simulation/index.ts';
import { editRole, isServing, ordinals, podCreates, scaleTo } from '../cases/helpers.ts';
import { applied, aWorld, deletePod, podNamed, rolledOut, specImages, uids } from '../scenarios/world.ts';
import { aModelServing } from '../world/builders.ts';

const twoMinutes = 2 * 60_000;
const threeMinutes = 3 * 60_000;

const servingNames = (world: World): readonly string[] => world.pods().filter(isServing).map(nameOf);

describe('a ModelServing', () => {
  it('Lifecycle: comes up, takes a new image, and goes with all its Pods', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().role('prefill').role('decode').recreate().build());
    await world.setImage(ms, 'engine:v2');
    await world.until((now) => rolledOut(now) && specImages(now.pods()).join() === 'engine:v2', threeMinutes);
    await world.remove(ms);
    await world.until((now) => now.seen.modelServings.list().length === 0, twoMinutes);
    await world.until((now) => now.pods().length === 0 && now.seen.services.list().length === 0, twoMinutes);
  });

  it('ScaleUp: from one group to three has the ordinals 0, 1 and 2', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().groups(1).recreate().build());
    await scaleTo(world, 3);
    await world.until(rolledOut);
    expect(ordinals(world)).toEqual([0, 1, 2]);
  });

  it('ScaleDown: from three groups to one has one left', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().groups(3).role('m').recreate().build());
    await scaleTo(world, 1);
    await world.until((now) => servingNames(now).length === 1 && now.status().availableReplicas === 1, twoMinutes);
  });

  it('RoleScaleUp, RoleScaleDown: has as many instances of a Role as are asked for', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().role('m').recreate().build());
    for (const replicas of [3, 1]) {
      await editRole(world, 'm', (role) => ({ ...role, replicas }));
      await world.until((now) => now.pods().length === replicas && servingNames(now).length === replicas, twoMinutes);
    }
  });

  it('WithDuplicateHostAliases: keeps two aliases of one address', async () => {
    const hostAliases = [
      { ip: '10.0.0.1', hostnames: ['a'] },
      { ip: '10.0.0.1', hostnames: ['b'] },
    ];
    const world = await aWorld();
    await applied(
      world,
      aModelServing()
        .role('m', { spec: (spec) => ({ ...spec, hostAliases }) })
        .recreate()
        .build(),
    );
    expect(world.pods()[0]?.spec.hostAliases).toEqual(hostAliases);
  });

  it('RoleStatusEvents: tells of Roles that are being created and that run', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().role('m').role('n').recreate().build());
    for (const reason of ['RoleCreating', 'RoleRunning']) {
      const events = world.events(reason);
      expect(events).toHaveLength(2);
      for (const { involvedObject } of events) {
        expect(involvedObject).toMatchObject({ kind: modelServingResource.kind, uid: uidOf(ms) });
      }
    }
  });

  it('ControllerManagerRestart: comes up whole though its controller is killed while it is created', async () => {
    for (const afterMs of [0, 5, 50, 1_000, 3_000]) {
      const world = await aWorld();
      const manifest = aModelServing().groups(5).role('prefill', { workers: 2 }).role('decode', { workers: 1 });
      await world.apply(manifest.recreate().build());
      await world.run(afterMs);
      world.killOperator();
      world.startOperator();
      await world.until((now) => servingNames(now).length === 25 && rolledOut(now), threeMinutes);
      expect(podCreates(world)).toHaveLength(25);
    }
  });
});

describe('recovery', () => {
  it('ServingGroupRecreate: a lost Pod takes both Roles of its group with it', async () => {
    const world = await aWorld();
    const manifest = aModelServing().role('prefill').role('decode').recovery('ServingGroupRecreate');
    await applied(world, manifest.recreate().build());
    const before = Object.values(uids(world));
    await deletePod(world, 'ms-0-prefill-0-0');
    const isNew = (): boolean => world.pods().every((pod) => isServing(pod) && !before.includes(uidOf(pod)));
    await world.until((now) => now.pods().length === 2 && isNew(), threeMinutes);
    const groups = world.pods().map(({ metadata }) => metadata.labels?.['modelserving.volcano.sh/group-name']);
    expect(groups).toEqual(['ms-0', 'ms-0']);
  });

  it('PodRecovery: a lost Pod comes back under its labels', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().role('m').byRole().recreate().recovery('RoleRecreate').build());
    const before = podNamed(world, 'ms-0-m-0-0');
    await deletePod(world, 'ms-0-m-0-0');
    await world.until((now) => now.pods().some((pod) => isServing(pod) && uidOf(pod) !== uidOf(before)), twoMinutes);
    expect(podNamed(world, 'ms-0-m-0-0').metadata.labels).toEqual(before.metadata.labels);
  });

  it('HeadlessServiceDeleteOnServingGroupDelete: Services go with their groups', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().groups(3).role('m', { workers: 1 }).recreate().build());
    const services = world.seen.services.list();
    expect(services.map(nameOf).toSorted()).toEqual(['ms-0-m-0-0', 'ms-1-m-0-0', 'ms-2-m-0-0']);
    expect(services.every(({ metadata }) => metadata.ownerReferences?.[0]?.uid === uidOf(ms))).toBe(true);
    await scaleTo(world, 1);
    await world.until((now) => now.seen.services.list().length === 1, twoMinutes);
  });
});
