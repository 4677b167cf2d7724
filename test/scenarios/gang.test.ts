import { describe, expect, it } from 'vitest';
import { type ModelServing, podGroupNameAnnotation, taskSpecAnnotation } from '../../src/api/index.ts';
import { nameOf, type Pod, uidOf } from '../../src/objects/index.ts';
import { operatorUser, type World } from '../../src/simulation/index.ts';
import {
  installVolcano,
  podGroupOf,
  podGroups,
  podGroupsOf,
  removeVolcano,
  upgradeVolcano,
} from '../support/volcano.ts';
import { aModelServing, type RoleOptions } from '../world/builders.ts';
import { applied, aWorld, condition, deletedPods, deletePod, places, rolledOut, specImages } from './world.ts';

const requesting = (cpu: string, memory: string): RoleOptions => ({
  spec: (spec) => ({
    ...spec,
    containers: spec.containers.map((container) => ({
      ...container,
      resources: { requests: { cpu }, limits: { cpu: '64', memory } },
    })),
  }),
});

/** Two prefill instances and one decode instance, each of an entry and a worker. */
const gang = (groups: number) =>
  aModelServing()
    .groups(groups)
    .inPlace()
    .role('prefill', { replicas: 2, workers: 1, ...requesting('1', '4Gi') })
    .role('decode', { replicas: 1, workers: 1, ...requesting('500m', '1Gi') })
    .with((spec) => ({ ...spec, schedulerName: 'volcano' }));

type Spec = ModelServing['spec'];

const editSpec =
  (change: (spec: Spec) => Partial<Spec>) =>
  (live: ModelServing): ModelServing => ({ ...live, spec: { ...live.spec, ...change(live.spec) } });

const editTemplate =
  (change: Partial<Spec['template']>) =>
  (live: ModelServing): ModelServing => ({
    ...live,
    spec: { ...live.spec, template: { ...live.spec.template, ...change } },
  });

const annotate =
  (key: string, value: string | undefined) =>
  (live: ModelServing): ModelServing => ({
    ...live,
    metadata: {
      ...live.metadata,
      annotations: Object.fromEntries(
        Object.entries({ ...live.metadata.annotations, [key]: value }).filter((entry) => entry[1] !== undefined),
      ) as Record<string, string>,
    },
  });

const memberships = (pods: readonly Pod[]): readonly (string | undefined)[] =>
  pods.map((pod) => pod.metadata.annotations?.[podGroupNameAnnotation]);

/** Writes of the operator to PodGroups since a mark: `create ms-0`. */
const writes = (world: World, mark = 0): readonly string[] =>
  world.ledger
    .since(mark)
    .writes({ by: operatorUser, resource: 'podgroups' })
    .map(({ verb, name }) => `${verb} ${name}`);

const settled = async (world: World): Promise<void> => {
  await world.run(5_000);
  await world.until(rolledOut);
  await world.run(5_000);
};

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
