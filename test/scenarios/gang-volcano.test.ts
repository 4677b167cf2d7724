import { describe, expect, it } from 'vitest';
import { taskSpecAnnotation } from '../../src/api/index.ts';
import { uidOf } from '../../src/objects/index.ts';
import { operatorUser } from '../../src/simulation/index.ts';
import { leftByKthena } from '../adoption/left-by-kthena.ts';
import { editSpec, gang, memberships, settled, writes } from '../support/gangs.ts';
import {
  installVolcano,
  podGroupOf,
  podGroups,
  podGroupsByKthena,
  podGroupsOf,
  removeVolcano,
  upgradeVolcano,
} from '../support/volcano.ts';
import { aModelServing } from '../world/builders.ts';
import { applied, aWorld, condition, deletedPods, deletePod, places } from './world.ts';

describe('PodGroups that kthena made', () => {
  it('are kept as they are, and so are their Pods', async () => {
    const world = await leftByKthena('gang');
    await installVolcano(world);
    for (const podGroup of podGroupsByKthena('gang', uidOf(world.live()))) {
      await world.finish(world.client.create(podGroups, podGroup));
    }
    const before = await podGroupsOf(world, 'fx');
    expect(Object.keys(before)).toEqual(['gang-0', 'gang-1']);
    const [pods, mark] = [places(world), world.ledger.mark()];
    world.startOperator();
    await world.run(10 * 60_000);
    expect(world.status().observedGeneration).toBe(world.live().metadata.generation);
    expect(writes(world, mark)).toEqual([]);
    expect(await podGroupsOf(world, 'fx')).toEqual(before);
    expect(places(world)).toEqual(pods);

    await world.edit(world.live(), (live) => ({
      ...live,
      spec: { ...live.spec, rolloutStrategy: { type: 'ServingGroupRollingUpdate', updateMethod: 'InPlace' } },
    }));
    await world.setImage(world.live(), 'engine:v2');
    await settled(world);
    expect(writes(world, mark)).toEqual([]);
  });
});

describe('Volcano that is not there', () => {
  it('B089: stops no ModelServing that does without, and says so to one that waits for it', async () => {
    const world = await aWorld({ nodes: 0 });
    const plain = aModelServing({ name: 'plain' }).groups(1);
    await world.apply(plain.build());
    await world.apply(gang(1).build());
    await world.run(60_000);
    expect(condition(world, 'Progressing')).toMatch(
      /schedulerName is volcano, and the CRD podgroups\.scheduling\.volcano\.sh is not installed: .* 6 Pods wait/,
    );
    const mark = world.ledger.mark();
    await world.run(60 * 60_000);
    expect(world.ledger.since(mark).writes({ by: operatorUser })).toEqual([]);
    const other = world.status({ namespace: 'default', name: 'plain' }).conditions?.map(({ message }) => message);
    expect(other?.join()).not.toMatch(/volcano/);
  });

  it('says nothing once the Pods run', async () => {
    const world = await aWorld();
    await applied(world, gang(1).build());
    expect(condition(world, 'Available')).toBe('True AllGroupsReady: All Serving groups are ready');
    expect([...world.operator().operator.waits().values()].flat()).toEqual([]);
    expect(new Set(memberships(world.pods()))).toEqual(new Set([undefined]));
  });

  it('and then comes: Pods that nobody has placed become a gang, those that run stay as they are', async () => {
    const world = await aWorld({ nodes: 0 });
    await world.apply(gang(1).build());
    await world.until(() => world.pods().length === 6);
    await installVolcano(world);
    await world.run(5_000);
    expect(Object.keys(await podGroupsOf(world))).toEqual(['ms-0']);
    expect(memberships(world.pods())).toEqual(Array.from({ length: 6 }, () => 'ms-0'));
    expect(world.pods()[0]?.metadata.annotations?.[taskSpecAnnotation]).toBe('decode-0');
    expect(deletedPods(world)).toEqual([]);
  });

  it('and then comes: a group that runs without becomes a gang when it is made anew', async () => {
    const world = await aWorld();
    const ms = await applied(world, gang(1).build());
    await installVolcano(world);
    await world.run(60_000);
    expect(await podGroupsOf(world)).toEqual({});
    // One instance of three is made again: it must not wait for members that never come.
    await deletePod(world, 'ms-0-decode-0-1');
    await settled(world);
    expect(new Set(memberships(world.pods()))).toEqual(new Set([undefined]));
    await world.edit(
      ms,
      editSpec((spec) => ({
        template: { ...spec.template, roles: spec.template.roles.map((role) => ({ ...role, workerReplicas: 0 })) },
      })),
    );
    await settled(world);
    expect(Object.keys(await podGroupsOf(world))).toEqual(['ms-0']);
    expect(new Set(memberships(world.pods()))).toEqual(new Set(['ms-0']));
  });

  it('goes and comes back: nothing restarts, new Pods are made, and the gang is one again', async () => {
    const world = await aWorld();
    await installVolcano(world);
    await applied(world, gang(2).build());
    const before = places(world);
    await removeVolcano(world);
    await world.run(60_000);
    expect(places(world)).toEqual(before);
    await deletePod(world, 'ms-1-decode-0-1');
    await settled(world);
    expect(memberships(world.group(1)).filter((name) => name === undefined)).toHaveLength(2);

    await installVolcano(world);
    await settled(world);
    expect(Object.keys(await podGroupsOf(world))).toEqual(['ms-0', 'ms-1']);
    expect(memberships(world.group(1))).toEqual(Array.from({ length: 6 }, () => 'ms-1'));
    expect(deletedPods(world)).toEqual(['ms-1-decode-0-0']);
  });

  it('may not be asked for: the operator runs, and nothing is a gang', async () => {
    const world = await aWorld({ startOperator: false });
    await installVolcano(world);
    const message = 'customresourcedefinitions is forbidden: no such right';
    world.faults.add({
      matches: ({ path }) => path.includes('customresourcedefinitions'),
      disturbance: { kind: 'refuse', code: 403, reason: 'Forbidden', message },
    });
    world.startOperator();
    await applied(world, gang(1).build());
    expect(writes(world)).toEqual([]);
  });
});

describe('an older Volcano', () => {
  it('B092: gets what it knows, is not written again and again, and the event says what is missing', async () => {
    const world = await aWorld();
    await installVolcano(world, 'flat');
    const ms = gang(1).with((spec) => ({
      ...spec,
      template: {
        ...spec.template,
        gangPolicy: { minRoleReplicas: { prefill: 1, decode: 1 } },
        networkTopology: { groupPolicy: { highestTierName: 'rack' }, rolePolicy: { mode: 'hard' } },
      },
    }));
    await applied(world, ms.build());
    await world.run(60_000);
    const { spec } = await podGroupOf(world, 'ms-0');
    expect(spec).toMatchObject({ minMember: 4, networkTopology: { mode: 'hard', highestTierAllowed: 1 } });
    expect(spec).not.toHaveProperty('subGroupPolicy');
    expect(writes(world)).toEqual(['create ms-0']);
    expect(world.events('GangDegraded').map(({ message }) => message)).toEqual([
      expect.stringMatching(/podgroups\.scheduling\.volcano\.sh has no spec\.subGroupPolicy/),
      expect.stringMatching(/has not all of spec\.networkTopology/),
    ]);
  });

  it('that is upgraded gets the rest', async () => {
    const world = await aWorld();
    await installVolcano(world, 'flat');
    await applied(world, gang(1).build());
    expect(world.events('GangDegraded')).toEqual([]);
    const before = await podGroupOf(world, 'ms-0');
    await upgradeVolcano(world);
    await world.run(5_000);
    const after = await podGroupOf(world, 'ms-0');
    expect(uidOf(after)).toBe(uidOf(before));
    expect(after.spec?.subGroupPolicy?.map(({ name }) => name)).toEqual(['prefill', 'decode']);
  });
});
