import { describe, expect, it } from 'vitest';
import { modelServingCrd } from '../../src/api/index.ts';
import { resources } from '../../src/kube/index.ts';
import { isPlainObject, type KubeObject, nameOf, refOf, resourceVersionOf, uidOf } from '../../src/objects/index.ts';
import type { DecideInput, Decision } from '../../src/rollout/index.ts';
import {
  createWorld,
  type Disturbance,
  operatorUser,
  type World,
  type WorldOptions,
  type WriteMoment,
} from '../../src/simulation/index.ts';
import { aModelServing } from '../world/builders.ts';
import { createPod, decisionOf, isReady, logicOf, onePodPerGroup } from './stand-in.ts';

const aWorld = (
  decide: (input: DecideInput) => Decision = onePodPerGroup,
  options: Partial<WorldOptions> = {},
): Promise<World> => createWorld({ logic: logicOf(decide), ...options });

const allReady = (count: number) => (world: World) => world.pods().filter(isReady).length === count;

const createsOf = (world: World) => world.ledger.writes({ by: operatorUser, verb: 'create', resource: 'pods' });

const onCreate =
  (name?: string) => (request: { readonly method: string; readonly body?: unknown; readonly path: string }) =>
    request.method === 'POST' &&
    request.path.includes('/pods') &&
    (name === undefined || String(request.body).includes(`"name":"${name}"`));

const forbidden: Disturbance = { kind: 'refuse', code: 403, reason: 'Forbidden', message: 'quota exceeded' };

describe('a write that is refused', () => {
  it('is held back longer and longer, holds up nothing else, and is forgotten on success', async () => {
    const told: string[] = [];
    const attempts: number[] = [];
    const world = await aWorld((input) => {
      for (const [key, refusal] of input.memory.refusals) told.push(`${key} ${refusal.count}: ${refusal.message}`);
      return onePodPerGroup(input);
    });
    world.faults.add({
      matches: (request) => {
        const matches = onCreate('ms-0-r-0-0')(request);
        if (matches) attempts.push(world.machine.clock.monotonic());
        return matches;
      },
      disturbance: forbidden,
    });
    await world.apply(aModelServing().groups(4).build());
    await world.until(allReady(3));
    await world.run(200_000);
    const gaps = attempts.slice(1).map((at, index) => Math.round((at - (attempts[index] ?? 0)) / 1000));
    expect(gaps).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(told.at(-1)).toBe('create/ms-0-r-0-0 9: quota exceeded');

    world.faults.clear();
    await world.until(allReady(4), 61_000);
    told.length = 0;
    await world.settle();
    expect(told).toEqual([]);
  });

  it('to one Pod does not keep another from being created', async () => {
    let patched = 0;
    const world = await aWorld((input) => {
      const patches = input.children.pods.filter(isReady).map((pod) => {
        const body = { metadata: { resourceVersion: resourceVersionOf(pod), annotations: { touched: 'yes' } } };
        const key = `patch/${uidOf(pod)}`;
        return {
          kind: 'patch',
          key,
          resource: 'pods',
          ref: refOf(pod),
          uid: uidOf(pod),
          type: 'merge',
          body,
          why: 'w',
        } as const;
      });
      return decisionOf({ effects: [patches, ...onePodPerGroup(input).effects] });
    });
    world.faults.add({ matches: ({ method }) => method === 'PATCH' && ++patched > 0, disturbance: forbidden });
    const ms = await world.apply(aModelServing().groups(4).build());
    await world.until(() => patched > 0);
    await world.edit(ms, (live) => ({ ...live, spec: { ...live.spec, replicas: 5 } }));
    await world.until(allReady(5), 2000);
  });

  it('backs off too where it is the status, and the Pods come all the same', async () => {
    const world = await aWorld();
    let attempts = 0;
    world.faults.add({
      matches: ({ method, path }) => method === 'PATCH' && path.includes('/status') && ++attempts > 0,
      disturbance: forbidden,
    });
    await world.apply(aModelServing().groups(2).build());
    await world.until(allReady(2));
    await world.run(120_000);
    expect(attempts).toBeLessThanOrEqual(8); // 1, 2, 4 … 60 s apart
    world.faults.clear();
    await world.until(() => world.status().replicas === 2, 61_000);
  });

  it('is asked for ever more slowly where everything is refused', async () => {
    const world = await aWorld();
    let attempts = 0;
    world.faults.add({ matches: (request) => onCreate()(request) && ++attempts > 0, disturbance: forbidden });
    await world.apply(aModelServing().groups(100).build());
    await world.run(900);
    expect(attempts).toBeLessThanOrEqual(30); // three a round, rounds 5, 10, 20 … ms apart
  });
});

describe('a write whose answer is lost', () => {
  it('is looked up, not repeated', async () => {
    const world = await aWorld();
    world.faults.add({ matches: onCreate(), disturbance: { kind: 'lose-reply' }, times: 2 });
    await world.apply(aModelServing().groups(3).build());
    await world.until(allReady(3));
    expect(createsOf(world)).toHaveLength(3);
    expect(world.log().filter((line) => line.includes('outcome=doubtful'))).toHaveLength(2);
  });

  it('is safe though it is committed only after everybody has given up on it', async () => {
    const world = await aWorld();
    world.faults.add({ matches: onCreate(), disturbance: { kind: 'slow-request', byMs: 45_000 }, times: 1 });
    await world.apply(aModelServing().groups(2).build());
    await world.until(allReady(2));
    await world.settle();
    expect(createsOf(world).map(({ name }) => name)).toEqual(['ms-1-r-0-0', 'ms-0-r-0-0']);
  });

  it('does not stop the operator while the API server is away for ten minutes', async () => {
    const world = await aWorld();
    await world.apply(aModelServing().groups(1).build());
    await world.until(allReady(1));
    world.faults.add({ matches: () => true, disturbance: { kind: 'lose-request' } });
    world.operator().link.closeWatches();
    await world.edit(world.live(), (live) => ({ ...live, spec: { ...live.spec, replicas: 3 } }));
    await world.run(600_000);
    expect(world.pods()).toHaveLength(1);
    world.faults.clear();
    await world.until(allReady(3), 90_000);
  });
});

describe('AlreadyExists', () => {
  it('waits for a predecessor of the same name to end', async () => {
    const world = await aWorld();
    const first = await world.apply(aModelServing().groups(1).build());
    await world.until(allReady(1));
    await world.remove(first);
    const second = await world.apply(aModelServing().groups(1).build());
    await world.until((now) => now.pods().some((pod) => isReady(pod) && isOwnedBy(pod, uidOf(second))));
    expect(world.pods()).toHaveLength(1);
  });

  it('is no success where the object belongs to someone else, and the decision is told', async () => {
    const refusals: string[] = [];
    const world = await aWorld((input) => {
      refusals.push(...[...input.memory.refusals.values()].map(({ message }) => message));
      return onePodPerGroup(input);
    });
    const spec = { containers: [{ name: 'c', image: 'other:v1' }] };
    const stranger = { metadata: { name: 'ms-0-r-0-0', namespace: 'default' }, spec };
    await world.finish(world.client.create(resources.pods, stranger));
    await world.apply(aModelServing().groups(2).build());
    await world.run(30_000);
    expect(refusals.at(-1)).toBe('pods "ms-0-r-0-0" already exists and belongs to someone else');
    await world.finish(world.client.delete(resources.pods, refOf(stranger)));
    await world.until(allReady(2), 120_000);
  });
});

describe('a Pod whose name label is removed by hand', () => {
  it('is not lost: no decision misses it, it gets its label back, and no other Pod is made', async () => {
    const seen = new Set<number>();
    const world = await aWorld((input) => {
      seen.add(input.children.pods.length);
      return onePodPerGroup(input);
    });
    await world.apply(aModelServing().groups(2).build());
    await world.until(allReady(2));
    const before = world.pods().map(uidOf);
    const [pod] = world.pods();
    if (pod === undefined) throw new Error('no Pod');
    seen.clear();
    const body = { metadata: { labels: { 'modelserving.volcano.sh/name': null } } };
    await world.finish(world.client.patch(resources.pods, refOf(pod), { type: 'merge', body }));
    expect(world.pods()).toHaveLength(1);
    await world.settle();
    expect(world.pods().map(uidOf)).toEqual(before);
    expect([...seen]).toEqual([2]);
    expect(createsOf(world)).toHaveLength(2);
  });

  it('gets it back also when no operator was there to see it go', async () => {
    const world = await aWorld();
    await world.apply(aModelServing().groups(2).build());
    await world.until(allReady(2));
    const before = world.pods().map(uidOf);
    world.killOperator();
    for (const pod of world.pods()) {
      const body = { metadata: { labels: { 'modelserving.volcano.sh/name': null } } };
      await world.finish(world.client.patch(resources.pods, refOf(pod), { type: 'merge', body }));
    }
    world.startOperator();
    await world.settle();
    expect(world.pods().map(uidOf)).toEqual(before);
  });
});

describe('a delete that does not hold any more', () => {
  it('spares the Pod that has changed since, and one that took its name', async () => {
    let armed = false;
    const world = await aWorld((input) => {
      const [pod] = input.children.pods;
      if (!armed || pod === undefined) return onePodPerGroup(input);
      armed = false;
      const effect = { kind: 'delete', key: 'd', resource: 'pods', ref: refOf(pod), why: 'not healthy' } as const;
      return decisionOf({
        effects: [[{ ...effect, uid: uidOf(pod), resourceVersion: String(BigInt(resourceVersionOf(pod)) - 1n) }]],
      });
    });
    await world.apply(aModelServing().build());
    await world.until(allReady(1));
    const before = world.pods().map(uidOf);
    armed = true;
    await world.edit(world.live(), (live) => ({ ...live, metadata: { ...live.metadata, annotations: { a: 'b' } } }));
    await world.settle();
    expect(armed).toBe(false);
    expect(world.pods().map(uidOf)).toEqual(before);
    expect(world.ledger.deletes('pods')).toEqual([]);
  });
});

describe('a CRD that prunes the milestones', () => {
  const units = [{ groups: '0', roles: [{ name: 'r', instances: '0', completed: 0 }] }];
  /** The CRD of an older version, without our two fields. */
  const pruning = (): KubeObject =>
    JSON.parse(JSON.stringify(modelServingCrd), (_key, value: unknown) => {
      if (!isPlainObject(value) || !('units' in value)) return value;
      const { units: _units, failures: _failures, ...rest } = value;
      return rest;
    });

  it('is noticed in the answer, protects nothing, and is left as soon as the CRD has them', async () => {
    const told: boolean[] = [];
    const decide = (input: DecideInput): Decision => {
      told.push(input.memory.statusPruned);
      const status = { ...input.modelServing.status, replicas: 1, units };
      if (input.memory.statusPruned) return decisionOf({ status });
      if (input.modelServing.status?.units === undefined) {
        return decisionOf({ status, milestone: true, effects: [[createPod(input.modelServing, 'ms-0-r-0-0')]] });
      }
      return onePodPerGroup(input);
    };
    const world = await aWorld(decide, { crd: pruning() });
    await world.apply(aModelServing().build());
    await world.settle();
    expect(told.slice(0, 2)).toEqual([false, true]);
    expect(createsOf(world)).toEqual([]);
    expect(world.ledger.writes({ by: operatorUser, resource: 'modelservings/status' })).toHaveLength(1);

    const live = await world.finish(
      world.client.get(resources.customresourcedefinitions, { name: nameOf(modelServingCrd) }),
    );
    const metadata = { ...modelServingCrd.metadata, resourceVersion: resourceVersionOf(live) };
    const whole: KubeObject = { ...modelServingCrd, metadata };
    await world.finish(world.client.update<KubeObject>(resources.customresourcedefinitions, whole));
    await world.until(allReady(1));
    expect(world.status().units).toEqual(units);
    expect(told.at(-1)).toBe(false);
  });
});

describe('a crash at any moment', () => {
  const moments: readonly WriteMoment[] = ['before-send', 'after-commit', 'after-reply'];

  it('leads to the same Pods as no crash, and to no write too many', async () => {
    for (let write = 1; write <= 8; write++) {
      for (const at of moments) {
        const world = await aWorld();
        world.killOperator({ write, at });
        await world.apply(aModelServing().groups(6).build());
        await world.settle();
        if (!world.operator().process.isAlive()) world.startOperator();
        await world.until(allReady(6));
        await world.settle();
        expect([write, at, createsOf(world).length]).toEqual([write, at, 6]);
        expect(world.status()).toMatchObject({ replicas: 6, availableReplicas: 6 });
      }
    }
  });
});

const isOwnedBy = (
  pod: { readonly metadata: { readonly ownerReferences?: readonly { uid: string }[] | undefined } },
  uid: string,
) => pod.metadata.ownerReferences?.some((owner) => owner.uid === uid) === true;
