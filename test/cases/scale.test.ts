import { describe, expect, it } from 'vitest';
import { modelServingResource } from '../../src/api/index.ts';
import { resources } from '../../src/kube/index.ts';
import { nameOf } from '../../src/objects/index.ts';
import type { World } from '../../src/simulation/index.ts';
import { applied, aWorld, condition, deletePod, podNamed, rolledOut, uids } from '../scenarios/world.ts';
import { aModelServing } from '../world/builders.ts';
import {
  editRole,
  isServing,
  ordinals,
  podCreates,
  podDeletes,
  scaleTo,
  servingGroups,
  setDeletionCosts,
  statusWrites,
} from './helpers.ts';

const single = (groups: number) => aModelServing().groups(groups).role('m').recreate();

/** Fills the only node with a Pod of somebody else, so that the Pod of that name cannot come back. */
const keepPending = async (world: World, name: string): Promise<void> => {
  world.killOperator();
  await deletePod(world, name, 0);
  const stranger = {
    metadata: { name: 'stranger', namespace: 'default' },
    spec: { containers: [{ name: 'c', image: 'x' }] },
  };
  await world.finish(world.client.create(resources.pods, { apiVersion: 'v1', kind: 'Pod', ...stranger }));
  await world.run(5_000);
  world.startOperator();
  await world.run(5_000);
  expect(podNamed(world, name).spec.nodeName).toBeUndefined();
};

const scalePath = '/apis/workload.serving.volcano.sh/v1alpha1/namespaces/default/modelservings/ms/scale';

describe('scaling down', () => {
  it('B052: takes the group that is not scheduled before those that serve', async () => {
    const world = await aWorld({ nodes: [{ name: 'small', maxPods: 3 }] });
    await applied(world, single(3).build());
    await keepPending(world, 'ms-0-m-0-0');
    await scaleTo(world, 2);
    await world.until(rolledOut);
    expect(ordinals(world)).toEqual([1, 2]);
  });

  it('B052, B061: takes the role instance that is not scheduled first, and does not wait for it to be Ready', async () => {
    const world = await aWorld({ nodes: [{ name: 'small', maxPods: 4 }] });
    await applied(world, aModelServing().role('w', { replicas: 4 }).recreate().build());
    await keepPending(world, 'ms-0-w-1-0');
    const mark = world.ledger.mark();
    await editRole(world, 'w', (role) => ({ ...role, replicas: 2 }));
    await world.run(1_000);
    const deleted = podDeletes(world, mark).map(({ name }) => name);
    expect(deleted.toSorted()).toEqual(['ms-0-w-1-0', 'ms-0-w-3-0']);
    await world.until(rolledOut);
    expect(world.pods().map(nameOf)).toEqual(['ms-0-w-0-0', 'ms-0-w-2-0']);
  });

  it('B060: deletes healthy role instances that are too many, together', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().role('w', { replicas: 4 }).recreate().build());
    await editRole(world, 'w', (role) => ({ ...role, replicas: 2 }));
    await world.until((now) => now.pods().length === 2 && condition(now, 'Available').startsWith('True'));
    const deletes = podDeletes(world);
    expect(deletes.map(({ name }) => name).toSorted()).toEqual(['ms-0-w-2-0', 'ms-0-w-3-0']);
    expect(Math.abs((deletes[0]?.atMs ?? 0) - (deletes[1]?.atMs ?? 1_000))).toBeLessThan(50);
  });

  it('B055: by cost leaves holes, which are filled from the lowest; nothing else is ever touched', async () => {
    const world = await aWorld();
    await applied(world, single(3).build());
    await setDeletionCosts(world, { 1: -100 });
    const steps: readonly (readonly [number, readonly number[]])[] = [
      [2, [0, 2]],
      [4, [0, 1, 2, 3]],
      [1, [0]],
    ];
    for (const [replicas, expected] of steps) {
      const before = uids(world);
      await scaleTo(world, replicas);
      await world.until(rolledOut);
      expect(ordinals(world)).toEqual(expected);
      for (const [name, uid] of Object.entries(uids(world))) expect([uid, undefined]).toContain(before[name] ?? uid);
    }
    const names = podCreates(world).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['ms-0-m-0-0', 'ms-1-m-0-0', 'ms-1-m-0-0', 'ms-2-m-0-0', 'ms-3-m-0-0']);
  });

  it('says what it waits for where a role instance cannot end', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().role('w', { replicas: 2 }).recreate().build());
    const node = podNamed(world, 'ms-0-w-1-0').spec.nodeName ?? '';
    world.cluster.nodes.pause(node);
    await editRole(world, 'w', (role) => ({ ...role, replicas: 1 }));
    await world.run(60_000);
    expect(condition(world, 'Progressing')).toMatch(
      new RegExp(`on their way out: \\[0/w-1\\]. group 0 w-1: waits for ms-0-w-1-0 on node ${node} to end`),
    );
    expect(world.status().availableReplicas).toBe(1);
    world.cluster.nodes.resume(node);
    await world.until((now) => now.pods().length === 1 && condition(now, 'Available').startsWith('True'));
  });
});

describe('the scale subresource', () => {
  it('B058: has a selector in the first status that is written, at no replicas too, and is listened to', async () => {
    const world = await aWorld();
    await applied(world, single(0).build());
    const [first] = statusWrites(world);
    expect(first?.object).toMatchObject({
      status: { labelSelector: expect.stringContaining('modelserving.volcano.sh/name=ms') },
    });
    const scale = await world.finish(world.client.raw(scalePath));
    expect(scale).toMatchObject({ status: { replicas: 0, selector: world.status().labelSelector } });
    const body = { spec: { replicas: 2 } };
    const ref = { namespace: 'default', name: 'ms' };
    await world.finish(
      world.client.patch(modelServingResource, ref, { type: 'merge', body }, { subresource: 'scale' }),
    );
    await world.until((now) => now.pods().length === 2 && rolledOut(now));
    expect(await world.finish(world.client.raw(scalePath))).toMatchObject({
      spec: { replicas: 2 },
      status: { replicas: 2 },
    });
  });

  it('B063: counts every group that runs, at any moment of a rollout', async () => {
    const world = await aWorld({ images: { 'engine:v2': { readyAfterMs: 5_000 } } });
    const ms = await applied(world, single(5).maxUnavailable(2).build());
    await world.setImage(ms, 'engine:v2');
    await world.until((now) => {
      expect(now.status().replicas).toBeGreaterThanOrEqual(servingGroups(now, 1).length);
      return rolledOut(now);
    });
    const counted = new Set(statusWrites(world).map(({ object }) => (object as typeof ms).status?.replicas));
    expect([...counted].every((replicas) => replicas === 0 || (replicas ?? 0) >= 3)).toBe(true);
  });

  it('B065: counts groups, one selected Pod each; replicas of a Role are per group', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().groups(3).role('w', { replicas: 2, workers: 1 }).role('x').recreate().build());
    await editRole(world, 'w', (role) => ({ ...role, replicas: 6 }));
    await world.until(rolledOut);
    expect(world.pods().filter((pod) => nameOf(pod).endsWith('-0') && nameOf(pod).includes('-w-'))).toHaveLength(18);
    const labelSelector = world.status().labelSelector;
    const selected = await world.finish(world.client.list(resources.pods, { namespace: 'default', labelSelector }));
    expect(selected.items.map(nameOf).toSorted()).toEqual(['ms-0-w-0-0', 'ms-1-w-0-0', 'ms-2-w-0-0']);
  });
});

describe('scaling up', () => {
  it('B064: from nothing works though no revision of it is on record any more', async () => {
    const world = await aWorld();
    await applied(world, single(1).build());
    await scaleTo(world, 0);
    await world.until(rolledOut);
    world.killOperator();
    for (const { metadata } of world.seen.revisions.list()) {
      const ref = { namespace: 'default', name: metadata.name ?? '' };
      await world.finish(world.client.delete(resources.controllerrevisions, ref));
    }
    world.startOperator();
    await scaleTo(world, 1);
    await world.until((now) => now.pods().length === 1 && rolledOut(now));
  });

  it('B066: beyond a quota is tried until it is lifted, and counts only what serves', async () => {
    const world = await aWorld();
    await applied(world, single(2).build());
    const lift = world.cluster.admission({
      name: 'quota',
      admit: ({ operation, resource, subresource }) =>
        operation === 'CREATE' && resource === 'pods' && subresource === undefined && world.pods().length >= 3
          ? { allowed: false, code: 403, message: 'exceeded quota: pods' }
          : { allowed: true },
    });
    await scaleTo(world, 5);
    await world.run(5 * 60_000);
    expect(world.pods()).toHaveLength(3);
    expect(world.status()).toMatchObject({ replicas: 3, availableReplicas: 3 });
    expect(JSON.stringify(world.status().conditions)).toContain('exceeded quota');
    lift();
    await world.until(rolledOut, 61_000);
  });

  it('B066: down goes on when deletes have failed for a while', async () => {
    const world = await aWorld();
    await applied(world, single(5).build());
    const refuse = { kind: 'refuse', code: 500, reason: 'InternalError', message: 'etcd is away' } as const;
    world.faults.add({
      matches: ({ method, path }) => method === 'DELETE' && path.includes('/pods/'),
      disturbance: refuse,
    });
    await scaleTo(world, 2);
    await world.run(10_000);
    expect(world.pods()).toHaveLength(5);
    world.faults.clear();
    await world.until((now) => now.pods().filter(isServing).length === 2 && rolledOut(now), 30_000);
  });
});
