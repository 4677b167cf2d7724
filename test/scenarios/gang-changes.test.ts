import { describe, expect, it } from 'vitest';
import { annotate, editSpec, editTemplate, gang, type Spec, settled, writes } from '../support/gangs.ts';
import { installVolcano, podGroupOf, podGroups, podGroupsOf } from '../support/volcano.ts';
import { aModelServing } from '../world/builders.ts';
import { applied, aWorld, deletedPods, places, rolledOut, specImages } from './world.ts';

describe('a PodGroup that exists', () => {
  it('72: stays as it is during and after an in-place update', async () => {
    const world = await aWorld();
    await installVolcano(world);
    const ms = await applied(world, gang(2).build());
    const before = await podGroupsOf(world);
    const mark = world.ledger.mark();
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
    expect(writes(world, mark)).toEqual([]);
    expect(await podGroupsOf(world)).toEqual(before);
    expect(deletedPods(world)).toEqual([]);
  });

  it('is written once, whatever the server defaults and whatever Volcano says in it', async () => {
    const world = await aWorld();
    await installVolcano(world);
    const topology = { groupPolicy: { mode: 'soft' as const }, rolePolicy: { highestTierName: 'rack' } };
    await applied(
      world,
      gang(1)
        .with((spec) => ({ ...spec, template: { ...spec.template, networkTopology: topology } }))
        .build(),
    );
    const body = {
      metadata: { annotations: { 'volcano.sh/note': 'x' } },
      spec: { queue: 'of-the-namespace', minResources: { cpu: '5000m', memory: '18432Mi' } },
      status: { phase: 'Running', running: 6 },
    };
    await world.finish(world.client.patch(podGroups, { namespace: 'default', name: 'ms-0' }, { type: 'merge', body }));
    await world.run(5_000);
    world.killOperator();
    world.startOperator();
    await world.run(60_000);
    expect(writes(world)).toEqual(['create ms-0']);
    expect((await podGroupOf(world, 'ms-0')).spec?.queue).toBe('of-the-namespace');
  });

  it('B086: follows the topology and the gang policy, also their removal, and restarts nothing', async () => {
    const world = await aWorld();
    await installVolcano(world);
    const tier = (highestTierAllowed: number) => ({
      networkTopology: { groupPolicy: { mode: 'hard' as const, highestTierAllowed } },
    });
    const ms = await applied(
      world,
      gang(2)
        .with((spec) => ({ ...spec, template: { ...spec.template, ...tier(1) } }))
        .build(),
    );
    const before = places(world);
    const topologies = async () =>
      Object.values(await podGroupsOf(world)).map(({ spec }) => spec?.networkTopology?.highestTierAllowed);
    expect(await topologies()).toEqual([1, 1]);

    await world.edit(ms, editTemplate(tier(2)));
    await world.run(5_000);
    expect(await topologies()).toEqual([2, 2]);

    await world.edit(ms, editTemplate({ gangPolicy: { minRoleReplicas: { prefill: 1 } } }));
    await world.run(5_000);
    expect((await podGroupOf(world, 'ms-1')).spec).toMatchObject({ minMember: 4, minResources: { cpu: '3' } });

    await world.edit(ms, (live) => {
      const { networkTopology: _, ...template } = live.spec.template;
      return { ...live, spec: { ...live.spec, template } };
    });
    await world.run(5_000);
    expect((await podGroupOf(world, 'ms-0')).spec).not.toHaveProperty('networkTopology');

    // Told to the history, so an image alone still goes in place.
    await world.setImage(ms, 'engine:v2');
    await settled(world);
    expect(places(world)).toEqual(before);
    expect(deletedPods(world)).toEqual([]);
  });

  it('B086: follows the replicas of Roles', async () => {
    const world = await aWorld();
    await installVolcano(world);
    const ms = await applied(world, gang(1).build());
    const scale = (replicas: number) =>
      world.edit(
        ms,
        editSpec((spec) => ({
          template: {
            ...spec.template,
            roles: spec.template.roles.map((role) => (role.name === 'prefill' ? { ...role, replicas } : role)),
          },
        })),
      );
    await scale(3);
    await settled(world);
    expect((await podGroupOf(world, 'ms-0')).spec).toMatchObject({ minMember: 8, minResources: { cpu: '7' } });
    await scale(0);
    await settled(world);
    const { spec } = await podGroupOf(world, 'ms-0');
    expect(spec).toMatchObject({ minMember: 2, minResources: { cpu: '1', memory: '2Gi' } });
    expect(spec?.subGroupPolicy?.map(({ name, minSubGroups }) => `${name} ${minSubGroups}`)).toEqual([
      'prefill 0',
      'decode 1',
    ]);
  });

  it('B093: follows the queue: set, changed, removed', async () => {
    const world = await aWorld();
    await installVolcano(world);
    const ms = await applied(world, gang(1).build());
    const queue = async () => (await podGroupOf(world, 'ms-0')).spec?.queue;
    const key = 'scheduling.volcano.sh/queue-name';
    expect(await queue()).toBe('default');
    for (const wanted of ['gold', 'silver']) {
      await world.edit(ms, annotate(key, wanted));
      await world.run(5_000);
      expect(await queue()).toBe(wanted);
    }
    await world.edit(ms, annotate(key, undefined));
    await world.run(5_000);
    expect(await queue()).toBe('default');
    const mark = world.ledger.mark();
    await world.run(60_000);
    expect(writes(world, mark)).toEqual([]);
  });

  it('B073: is brought right although others write it all the time', async () => {
    const world = await aWorld();
    await installVolcano(world);
    const ms = await applied(world, gang(1).build());
    await world.edit(ms, editTemplate({ gangPolicy: { minRoleReplicas: { prefill: 1 } } }));
    for (let write = 0; write < 40; write += 1) {
      const body = { status: { running: write } };
      await world.finish(
        world.client.patch(podGroups, { namespace: 'default', name: 'ms-0' }, { type: 'merge', body }),
      );
      await world.run(50);
    }
    await world.run(60_000);
    expect((await podGroupOf(world, 'ms-0')).spec?.minMember).toBe(4);
  });

  it('B091: never asks for more than the Pods that will exist, while a template and replicas change', async () => {
    const world = await aWorld();
    await installVolcano(world);
    const ms = await applied(world, gang(2).recreate().build());
    await world.edit(ms, (live) => ({
      ...live,
      spec: gang(2).recreate().role('prefill', { replicas: 2, workers: 3, image: 'engine:v2' }).build().spec,
    }));
    await world.run(500);
    await world.edit(
      ms,
      editSpec((spec) => ({
        template: {
          ...spec.template,
          roles: spec.template.roles.map((role) => (role.name === 'prefill' ? { ...role, replicas: 1 } : role)),
        },
      })),
    );
    for (let second = 0; second < 120; second += 1) {
      await world.run(1_000);
      const groups = await podGroupsOf(world);
      for (const group of [0, 1]) {
        const { minMember = 0 } = groups[`ms-${group}`]?.spec ?? {};
        const prefill = world
          .group(group)
          .filter((pod) => pod.metadata.labels?.['modelserving.volcano.sh/role'] === 'prefill');
        const isNew = prefill.some((pod) => pod.spec.containers[0]?.image === 'engine:v2');
        expect(minMember).toBeLessThanOrEqual(isNew ? 6 : prefill.length === 0 ? 6 : 4);
      }
    }
    await settled(world);
    expect(Object.values(await podGroupsOf(world)).map(({ spec }) => spec?.minMember)).toEqual([6, 6]);
  });
});

describe('a PodGroup of an older revision', () => {
  const roleSet = (spec: Spec, roles: Spec['template']['roles']): Spec => ({
    ...spec,
    template: { ...spec.template, roles },
  });

  it('keeps the Roles and sizes of its revision while the partition keeps its group', async () => {
    const world = await aWorld();
    await installVolcano(world);
    const ms = await applied(world, gang(2).build());
    const next = aModelServing()
      .groups(2)
      .partition(1)
      .role('decode', { workers: 3 })
      .role('router')
      .with((spec) => ({ ...spec, schedulerName: 'volcano' }))
      .build();
    await world.edit(ms, (live) => ({ ...live, spec: next.spec }));
    await world.run(5_000);
    await world.until(() => world.status().availableReplicas === 2 && world.status().updatedReplicas === 1);
    const shapeOf = async (name: string) => {
      const { spec } = await podGroupOf(world, name);
      const roles = spec?.subGroupPolicy?.map((it) => `${it.name} ${it.minSubGroups} of ${it.subGroupSize}`).sort();
      return [spec?.minMember, ...(roles ?? [])];
    };
    // How many instances an old Role has is no revision data: one that the spec has no more keeps those it has.
    expect(await shapeOf('ms-0')).toEqual([6, 'decode 1 of 2', 'prefill 2 of 2']);
    expect(await shapeOf('ms-1')).toEqual([5, 'decode 1 of 4', 'router 1 of 1']);
  });

  it('counts, under Role updates, each instance by the revision that it is of', async () => {
    const world = await aWorld();
    await installVolcano(world);
    const byRole = (workers: number) =>
      aModelServing()
        .groups(1)
        .byRole()
        .role('r', { replicas: 3, workers, partition: 2 })
        .with((spec) => ({ ...spec, schedulerName: 'volcano' }))
        .build();
    const ms = await applied(world, byRole(1));
    await world.edit(ms, (live) => ({ ...live, spec: roleSet(live.spec, byRole(3).spec.template.roles) }));
    await world.run(5_000);
    await world.until(() => world.pods().length === 8 && world.status().availableReplicas === 1);
    await world.run(5_000);
    const { spec } = await podGroupOf(world, 'ms-0');
    expect(spec?.minMember).toBe(8);
    expect(spec?.subGroupPolicy).toMatchObject([{ name: 'r', subGroupSize: 2, minSubGroups: 3 }]);
  });
});
