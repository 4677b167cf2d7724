import { describe, expect, it } from 'vitest';
import { nameOf } from '../../src/objects/index.ts';
import type { World } from '../../src/simulation/index.ts';
import { editRole, editSpec, ordinals, patchPod, scaleTo, setDeletionCosts } from '../cases/helpers.ts';
import { applied, aWorld, podNamed, rolledOut, specImages } from '../scenarios/world.ts';
import { aModelServing, type RoleOptions } from '../world/builders.ts';

const gate = 'example.com/test-ready';
const gated: RoleOptions = { spec: (spec) => ({ ...spec, readinessGates: [{ conditionType: gate }] }) };

/** Sets the cost of one Pod. */
const setCost = (world: World, name: string, cost: number): Promise<void> =>
  patchPod(world, name, { metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': String(cost) } } });

/** Opens the readiness gate of a Pod, as whoever owns it would. */
const openGate = (world: World, name: string): Promise<void> => {
  const conditions = [
    ...(podNamed(world, name).status?.conditions ?? []).filter(({ type }) => type !== gate),
    { type: gate, status: 'True', lastTransitionTime: new Date(world.machine.clock.wall()).toISOString() },
  ];
  return patchPod(world, name, { status: { conditions } }, true);
};

describe('scaling down', () => {
  it('BinPackScaleDownServingGroup: keeps the group that costs most to delete, under its ordinal', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().groups(4).role('m').recreate().build());
    await setDeletionCosts(world, { 0: 0, 1: 100, 2: 200, 3: 300 });
    await scaleTo(world, 1);
    await world.until(rolledOut);
    expect(ordinals(world)).toEqual([3]);
  });

  it('BinPackScaleDownRole: keeps the instance that costs most', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().role('m', { replicas: 4 }).recreate().build());
    for (const instance of [0, 1, 2, 3]) await setCost(world, `ms-0-m-${instance}-0`, 100 * instance);
    await editRole(world, 'm', (role) => ({ ...role, replicas: 1 }));
    await world.until((now) => now.pods().length === 1);
    expect(world.pods().map(nameOf)).toEqual(['ms-0-m-3-0']);
  });

  it('BinPackScaleDownCombined: of groups and instances in one edit leaves the dearer group', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().groups(2).role('prefill', { replicas: 2 }).role('decode').recreate().build());
    await setDeletionCosts(world, { 0: 0, 1: 100 });
    await editSpec(world, (spec) => ({
      ...spec,
      replicas: 1,
      template: { ...spec.template, roles: spec.template.roles.map((role) => ({ ...role, replicas: 1 })) },
    }));
    await world.until((now) => now.pods().length === 2 && rolledOut(now));
    expect(ordinals(world)).toEqual([1]);
  });

  it('RolePartitionScaleDown: removes unprotected instances first, however dear', async () => {
    const world = await aWorld();
    const prefill = { replicas: 5, partition: 3, maxUnavailable: 5 };
    const ms = await applied(world, aModelServing().role('prefill', prefill).byRole().recreate().build());
    await world.setImage(ms, 'engine:v2');
    await world.until(
      (now) => specImages(now.pods().slice(3)).join() === 'engine:v2' && now.status().availableReplicas === 1,
    );
    for (const instance of [3, 4]) await setCost(world, `ms-0-prefill-${instance}-0`, 10_000 + instance);
    await editRole(world, 'prefill', (role) => ({ ...role, replicas: 3, maxUnavailable: 3 }));
    await world.until((now) => now.pods().length === 3);
    expect(world.pods().map(nameOf)).toEqual(['ms-0-prefill-0-0', 'ms-0-prefill-1-0', 'ms-0-prefill-2-0']);
    expect(specImages(world.pods())).toEqual(['engine:v1']);
  });

  it('StatusAwarePriorityScaleDownServingGroup: removes the group that is not Ready', async () => {
    const world = await aWorld();
    await world.apply(aModelServing().groups(4).role('m', gated).recreate().build());
    await world.until(
      (now) => now.pods().length === 4 && now.pods().every(({ status }) => status?.phase === 'Running'),
    );
    for (const group of [0, 2, 3]) await openGate(world, `ms-${group}-m-0-0`);
    await world.until((now) => now.status().availableReplicas === 3, 30_000);
    await scaleTo(world, 3);
    await world.until(rolledOut);
    expect(ordinals(world)).toEqual([0, 2, 3]);
  });

  it('StatusAwarePriorityScaleDownRole: removes the instance that is not Ready, and each one has told when it ran', async () => {
    const world = await aWorld();
    await world.apply(
      aModelServing()
        .role('m', { replicas: 4, ...gated })
        .recreate()
        .build(),
    );
    await world.until(
      (now) => now.pods().length === 4 && now.pods().every(({ status }) => status?.phase === 'Running'),
    );
    for (const instance of [0, 2, 3]) await openGate(world, `ms-0-m-${instance}-0`);
    await world.until((now) => now.events('RoleRunning').length >= 3, 30_000);
    await editRole(world, 'm', (role) => ({ ...role, replicas: 3 }));
    await world.until((now) => now.pods().length === 3);
    expect(world.pods().map(nameOf)).toEqual(['ms-0-m-0-0', 'ms-0-m-2-0', 'ms-0-m-3-0']);
  });
});
