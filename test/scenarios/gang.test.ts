import { describe, expect, it } from 'vitest';
import { podGroupNameAnnotation, taskSpecAnnotation } from '../../src/api/index.ts';
import { nameOf, uidOf } from '../../src/objects/index.ts';
import { operatorUser } from '../../src/simulation/index.ts';
import { editSpec, gang, memberships, settled, writes } from '../support/gangs.ts';
import { installVolcano, podGroupOf, podGroups, podGroupsOf } from '../support/volcano.ts';
import { aModelServing } from '../world/builders.ts';
import { applied, aWorld, condition, places, rolledOut } from './world.ts';

describe('a PodGroup', () => {
  it('is made for each ServingGroup before its Pods, which name it', async () => {
    const world = await aWorld();
    await installVolcano(world);
    await applied(world, gang(2).build());
    expect(Object.keys(await podGroupsOf(world))).toEqual(['ms-0', 'ms-1']);
    const creates = world.ledger.writes({ by: operatorUser, verb: 'create' }).map(({ name }) => name);
    for (const pod of world.pods()) {
      const group = pod.metadata.annotations?.[podGroupNameAnnotation] ?? '';
      expect(nameOf(pod).startsWith(`${group}-`)).toBe(true);
      expect(creates.indexOf(group)).toBeLessThan(creates.indexOf(nameOf(pod)));
    }
    expect(world.group(1).map((pod) => pod.metadata.annotations?.[taskSpecAnnotation])).toEqual([
      ...['decode-0', 'decode-0', 'prefill-0', 'prefill-0', 'prefill-1', 'prefill-1'],
    ]);
    const { metadata } = await podGroupOf(world, 'ms-0');
    expect(metadata.labels).toEqual({
      'modelserving.volcano.sh/name': 'ms',
      'modelserving.volcano.sh/group-name': 'ms-0',
    });
    expect(metadata.ownerReferences).toEqual([
      {
        apiVersion: 'workload.serving.volcano.sh/v1alpha1',
        kind: 'ModelServing',
        name: 'ms',
        uid: uidOf(world.live()),
        controller: true,
      },
    ]);
  });

  it('asks for all Pods, and for what they request, a limit counting where no request is given', async () => {
    const world = await aWorld();
    await installVolcano(world);
    await applied(world, gang(1).build());
    const { spec } = await podGroupOf(world, 'ms-0');
    expect(spec).toMatchObject({ minMember: 6, minResources: { cpu: '5', memory: '18Gi' }, queue: 'default' });
    expect(spec?.subGroupPolicy).toMatchObject([
      {
        name: 'prefill',
        labelSelector: {
          matchLabels: { 'modelserving.volcano.sh/name': 'ms', 'modelserving.volcano.sh/role': 'prefill' },
        },
        matchLabelKeys: ['modelserving.volcano.sh/role-id'],
        subGroupSize: 2,
        minSubGroups: 2,
      },
      { name: 'decode', subGroupSize: 2, minSubGroups: 1 },
    ]);
  });

  it('asks for the minimum of the gang policy where there is one', async () => {
    const world = await aWorld();
    await installVolcano(world);
    const ms = gang(1).with((spec) => ({
      ...spec,
      template: {
        ...spec.template,
        gangPolicy: { minRoleReplicas: { prefill: 1, decode: 7 } },
        networkTopology: { rolePolicy: { mode: 'hard', highestTierAllowed: 1 } },
      },
    }));
    await applied(world, ms.build());
    const { spec } = await podGroupOf(world, 'ms-0');
    expect(spec).toMatchObject({ minMember: 4, minResources: { cpu: '3', memory: '10Gi' } });
    expect(spec?.networkTopology).toBeUndefined();
    expect(spec?.subGroupPolicy?.map(({ minSubGroups }) => minSubGroups)).toEqual([1, 1]);
    expect(spec?.subGroupPolicy?.[0]?.networkTopology).toEqual({ mode: 'hard', highestTierAllowed: 1 });
  });

  it('is not there for another scheduler', async () => {
    const world = await aWorld();
    await installVolcano(world);
    await applied(
      world,
      gang(1)
        .with((spec) => ({ ...spec, schedulerName: 'default-scheduler' }))
        .build(),
    );
    expect(await podGroupsOf(world)).toEqual({});
    expect(new Set(memberships(world.pods()))).toEqual(new Set([undefined]));
  });

  it('that the API server refuses holds its Pods back, says so, and is tried again', async () => {
    const world = await aWorld();
    await installVolcano(world);
    const allow = world.faults.add({
      matches: ({ method, path }) => method === 'POST' && path.includes('/podgroups'),
      disturbance: { kind: 'refuse', code: 403, reason: 'Forbidden', message: 'queue default is closed' },
    });
    await world.apply(gang(1).build());
    await world.run(60_000);
    expect(world.pods()).toEqual([]);
    expect(condition(world, 'Progressing')).toMatch(/refuses to create its PodGroup: .*queue default is closed/);
    allow();
    await world.until(rolledOut);
    expect(writes(world)).toEqual(['create ms-0']);
  });

  it('comes back when somebody deletes it', async () => {
    const world = await aWorld();
    await installVolcano(world);
    await applied(world, gang(1).build());
    const before = places(world);
    await world.finish(world.client.delete(podGroups, { namespace: 'default', name: 'ms-0' }));
    await world.run(5_000);
    expect(Object.keys(await podGroupsOf(world))).toEqual(['ms-0']);
    expect(places(world)).toEqual(before);
  });

  it('that belongs to somebody else is left alone, and the Pods wait for its end', async () => {
    const world = await aWorld();
    await installVolcano(world);
    const foreign = { apiVersion: 'scheduling.volcano.sh/v1beta1', kind: 'PodGroup', spec: { minMember: 1 } };
    const metadata = { name: 'ms-0', namespace: 'default', labels: { 'modelserving.volcano.sh/name': 'ms' } };
    await world.finish(world.client.create(podGroups, { ...foreign, metadata }));
    await world.apply(gang(1).build());
    await world.run(60_000);
    expect(world.pods()).toEqual([]);
    expect(writes(world)).toEqual([]);
    expect(condition(world, 'Progressing')).toMatch(/PodGroup ms-0 exists and belongs to nobody/);
    await world.finish(world.client.delete(podGroups, { namespace: 'default', name: 'ms-0' }));
    await world.until(rolledOut);
    expect(writes(world)).toEqual(['create ms-0']);
  });
});

describe('an operator that dies among PodGroups and Pods', () => {
  it.each([1, 2, 3, 4, 5, 6, 8, 12])('after its write %i: its successor ends at the same', async (write) => {
    const world = await aWorld();
    await installVolcano(world);
    world.killOperator({ write, at: 'after-commit' });
    const ms = await world.apply(gang(2).build());
    await world.run(3_000);
    world.startOperator();
    await world.until(rolledOut);
    expect(Object.keys(await podGroupsOf(world))).toEqual(['ms-0', 'ms-1']);
    expect(new Set(memberships(world.pods()))).toEqual(new Set(['ms-0', 'ms-1']));

    world.killOperator({ write, at: 'after-commit' });
    await world.edit(
      ms,
      editSpec(() => ({ replicas: 1, schedulerName: 'default-scheduler' })),
    );
    await world.run(3_000);
    if (!world.operator().process.isAlive()) world.startOperator();
    await settled(world);
    expect(await podGroupsOf(world)).toEqual({});
    expect(new Set(memberships(world.pods()))).toEqual(new Set([undefined]));
  });
});

describe('the end of a PodGroup', () => {
  it('comes with the end of its group, after the last Pod, and with no other', async () => {
    const world = await aWorld();
    await installVolcano(world);
    const ms = await applied(world, gang(3).build());
    await world.edit(
      ms,
      editSpec(() => ({ replicas: 1 })),
    );
    await settled(world);
    expect(Object.keys(await podGroupsOf(world))).toEqual(['ms-0']);
    const ends = world.ledger.writes({ verb: 'delete' }).map(({ name }) => name);
    for (const group of [1, 2]) {
      const lastPod = ends.findLastIndex((name) => name.startsWith(`ms-${group}-`));
      expect(ends.indexOf(`ms-${group}`)).toBeGreaterThan(lastPod);
    }
  });

  it('B087: comes when the scheduler changes, group by group', async () => {
    const world = await aWorld();
    await installVolcano(world);
    const ms = await applied(world, gang(2).build());
    await world.edit(
      ms,
      editSpec(() => ({ schedulerName: 'default-scheduler' })),
    );
    await world.until(() => writes(world).includes('delete ms-1'));
    expect(memberships(world.group(0))).toEqual(Array.from({ length: 6 }, () => 'ms-0'));
    await settled(world);
    expect(await podGroupsOf(world)).toEqual({});
    expect(new Set(memberships(world.pods()))).toEqual(new Set([undefined]));
    await world.edit(
      ms,
      editSpec(() => ({ schedulerName: 'volcano' })),
    );
    await settled(world);
    expect(Object.keys(await podGroupsOf(world))).toEqual(['ms-0', 'ms-1']);
    expect(new Set(memberships(world.pods()))).toEqual(new Set(['ms-0', 'ms-1']));
  });

  it('B051: 4 to 0 to 4 in a hurry, five times, ends with four groups and four PodGroups', async () => {
    const world = await aWorld();
    await installVolcano(world);
    const slow = aModelServing()
      .groups(4)
      .role('m', { graceSeconds: 10 })
      .with((spec) => ({
        ...spec,
        schedulerName: 'volcano',
        template: { ...spec.template, gangPolicy: { minRoleReplicas: { m: 1 } } },
      }));
    const ms = await applied(world, slow.build());
    for (let round = 0; round < 5; round += 1) {
      await world.edit(
        ms,
        editSpec(() => ({ replicas: 0 })),
      );
      await world.run(2_000);
      await world.edit(
        ms,
        editSpec(() => ({ replicas: 4 })),
      );
      await world.run(1_000);
    }
    await settled(world);
    expect(Object.keys(await podGroupsOf(world))).toEqual(['ms-0', 'ms-1', 'ms-2', 'ms-3']);
    expect(world.pods()).toHaveLength(4);
  });
});
