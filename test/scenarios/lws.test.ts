import { describe, expect, it } from 'vitest';
import type { ModelServing } from '../../src/api/index.ts';
import { controllerOf, nameOf, uidOf } from '../../src/objects/index.ts';
import { operatorUser, type World } from '../../src/simulation/index.ts';
import { leftByKthena } from '../adoption/left-by-kthena.ts';
import { livesOf, writes } from '../adoption/taken-over.ts';
import {
  aLeaderWorkerSet,
  createLws,
  editLws,
  installLws,
  leaderWorkerSets,
  liveLws,
  lwsByKthena,
  removeLws,
  templateOf,
} from '../support/leader-worker-sets.ts';
import { aModelServing } from '../world/builders.ts';
import { aWorld, deletedPods, places, specImages } from './world.ts';

const ref = { namespace: 'default', name: 'lws' };

const isReadyWith = (replicas: number) => (world: World) => {
  const found = world.seen.modelServings.get('default/lws');
  const { status, metadata } = found ?? { status: undefined, metadata: undefined };
  return (
    status?.availableReplicas === replicas &&
    status.replicas === replicas &&
    status.updatedReplicas === replicas &&
    status.observedGeneration === metadata?.generation
  );
};

const ready = async (world: World, replicas: number): Promise<void> => {
  await world.run(2_000);
  await world.until(isReadyWith(replicas));
  await world.run(2_000);
};

const aLwsWorld = async (lws = aLeaderWorkerSet()): Promise<World> => {
  const world = await aWorld();
  await installLws(world);
  await createLws(world, lws);
  return world;
};

describe('a LeaderWorkerSet', () => {
  it('becomes a ModelServing of one Role, whose Pods carry the labels its clients know', async () => {
    const world = await aLwsWorld();
    await ready(world, 2);
    const ms = world.live(ref);
    expect(controllerOf(ms)).toMatchObject({ kind: 'LeaderWorkerSet', uid: uidOf(await liveLws(world)) });
    expect(ms.spec).toMatchObject({
      replicas: 2,
      plugins: [{ name: 'lws-standard-labels', type: 'BuiltIn' }],
      template: { roles: [{ name: 'default', replicas: 1, workerReplicas: 2 }] },
    });
    expect(world.pods().map(nameOf)).toHaveLength(6);
    const { labels } = world.group(1, ref)[2]?.metadata ?? {};
    expect(labels).toMatchObject({
      app: 'llm',
      'leaderworkerset.sigs.k8s.io/name': 'lws',
      'leaderworkerset.sigs.k8s.io/group-index': '1',
      'leaderworkerset.sigs.k8s.io/worker-index': '2',
    });
  });

  it('takes its leader from the leader template where there is one', async () => {
    const world = await aLwsWorld(
      aLeaderWorkerSet({ replicas: 1 }, { size: 2, leaderTemplate: templateOf('leader:v1') }),
    );
    await ready(world, 1);
    expect(world.pods().map((pod) => pod.spec.containers[0]?.image)).toEqual(['leader:v1', 'engine:v1']);
  });

  it('is told how it is doing, and how to count its groups', async () => {
    const world = await aLwsWorld();
    await ready(world, 2);
    const { status } = await liveLws(world);
    expect(status).toMatchObject({
      replicas: 2,
      readyReplicas: 2,
      updatedReplicas: 2,
      hpaPodSelector: 'leaderworkerset.sigs.k8s.io/name=lws,leaderworkerset.sigs.k8s.io/worker-index=0',
    });
    expect(status?.conditions?.filter(({ status: it }) => it === 'True').map(({ type }) => type)).toEqual([
      'Available',
    ]);
  });

  it('writes nothing once nothing changes, whatever the API server defaulted', async () => {
    const world = await aLwsWorld();
    await ready(world, 2);
    const creates = world.ledger.writes({ by: operatorUser, resource: 'modelservings' });
    expect(creates.map(({ verb }) => verb)).toEqual(['create']);
    const mark = world.ledger.mark();
    await world.run(60 * 60_000);
    world.killOperator();
    world.startOperator();
    await world.run(60_000);
    expect(writes(world, mark)).toEqual([]);
  });

  it('is followed: replicas, size, templates', async () => {
    const world = await aLwsWorld();
    await ready(world, 2);
    await editLws(world, { replicas: 3 });
    await ready(world, 3);
    expect(world.pods()).toHaveLength(9);
    expect(deletedPods(world)).toEqual([]);
    await editLws(world, { leaderWorkerTemplate: { size: 1, workerTemplate: templateOf('engine:v2') } });
    await ready(world, 3);
    expect(world.pods().map(nameOf)).toEqual(['lws-0-default-0-0', 'lws-1-default-0-0', 'lws-2-default-0-0']);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
    expect((await liveLws(world)).status?.updatedReplicas).toBe(3);
  });

  it('leaves to the ModelServing what is set there, so images can be rolled out in place', async () => {
    const world = await aLwsWorld();
    await ready(world, 2);
    await world.edit(ref, (live) => ({
      ...live,
      spec: { ...live.spec, rolloutStrategy: { type: 'ServingGroupRollingUpdate', updateMethod: 'InPlace' } },
    }));
    await ready(world, 2);
    const before = places(world);
    await editLws(world, { leaderWorkerTemplate: { workerTemplate: templateOf('engine:v2') } });
    await ready(world, 2);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
    expect(places(world)).toEqual(before);
    expect(world.live(ref).spec.rolloutStrategy?.updateMethod).toBe('InPlace');
  });

  it('corrects what somebody changes in what is its own', async () => {
    const world = await aLwsWorld();
    await ready(world, 2);
    await world.edit(ref, (live) => ({ ...live, spec: { ...live.spec, replicas: 5, plugins: [] } }));
    await world.run(60_000);
    await ready(world, 2);
    expect(world.live(ref).spec).toMatchObject({ replicas: 2, plugins: [{ name: 'lws-standard-labels' }] });
  });

  it('takes its ModelServing with it when it goes', async () => {
    const world = await aLwsWorld();
    await ready(world, 2);
    await world.finish(world.client.delete(leaderWorkerSets, ref, { propagationPolicy: 'Background' }));
    await world.run(120_000);
    expect(world.seen.modelServings.list()).toEqual([]);
    expect(world.pods()).toEqual([]);
  });

  it('never touches a ModelServing that it does not control, says so, and goes on when that one is gone', async () => {
    const world = await aWorld();
    await installLws(world);
    const mine: ModelServing = aModelServing({ name: 'lws' }).groups(1).build();
    await world.apply(mine);
    await world.until((it) => it.status().availableReplicas === 1);
    await createLws(world, aLeaderWorkerSet());
    await world.run(60_000);
    expect(world.live().spec.template.roles.map(({ name }) => name)).toEqual(['r']);
    expect(world.ledger.writes({ by: operatorUser, resource: 'modelservings' })).toEqual([]);
    expect(world.events('NameTaken').map(({ involvedObject }) => involvedObject.kind)).toEqual(['LeaderWorkerSet']);
    await world.remove(mine);
    await world.run(60_000);
    await ready(world, 2);
    expect(world.live(ref).spec.template.roles.map(({ name }) => name)).toEqual(['default']);
  });

  it('is told once which of its fields have no effect', async () => {
    const world = await aLwsWorld(aLeaderWorkerSet({ startupPolicy: 'LeaderReady' }, { restartPolicy: 'None' }));
    await ready(world, 2);
    expect(world.events('FieldsIgnored').map(({ message }) => message)).toEqual([
      'a ModelServing is not given these fields, they have no effect: spec.startupPolicy, spec.leaderWorkerTemplate.restartPolicy',
    ]);
  });

  it('is told why its ModelServing is refused', async () => {
    const world = await aWorld();
    await installLws(world);
    const clear = world.faults.add({
      matches: ({ method, path }) => method === 'POST' && /\/modelservings(\?|$)/.test(path),
      disturbance: { kind: 'refuse', code: 403, reason: 'Forbidden', message: 'quota of ModelServings is used up' },
    });
    await createLws(world, aLeaderWorkerSet());
    await world.run(10_000);
    expect(world.events('ModelServingRefused')[0]?.message).toMatch(/quota of ModelServings is used up/);
    clear();
    await ready(world, 2);
  });
});

describe('the kind LeaderWorkerSet', () => {
  it('is left alone where the operator is told so', async () => {
    const world = await aWorld({ operator: { leaderWorkerSets: false } });
    await installLws(world);
    await createLws(world, aLeaderWorkerSet());
    await world.run(60_000);
    expect(world.seen.modelServings.list()).toEqual([]);
  });

  it('may come after the operator, go, and come again', async () => {
    const world = await aWorld();
    await world.run(60_000);
    await installLws(world);
    await createLws(world, aLeaderWorkerSet());
    await ready(world, 2);
    await removeLws(world);
    await world.run(120_000);
    expect(world.pods()).toEqual([]);
    await installLws(world);
    await createLws(world, aLeaderWorkerSet({ replicas: 1 }));
    await ready(world, 1);
  });
});

describe('a LeaderWorkerSet that kthena ran', () => {
  it('changes hands: ModelServing and Pods stay as they are, the status of the LeaderWorkerSet gets more', async () => {
    const world = await leftByKthena('lws');
    const own = (uid: string | undefined) =>
      world.edit(world.live(), ({ metadata, ...live }) => {
        const ownerReferences = uid === undefined ? [] : owners.map((owner) => ({ ...owner, uid }));
        return { ...live, metadata: { ...metadata, ownerReferences } };
      });
    const owners = world.live().metadata.ownerReferences ?? [];
    // The garbage collector would take what an owner of another UID has left.
    await own(undefined);
    await installLws(world);
    const { spec, status, ...recorded } = lwsByKthena();
    const name = { namespace: 'fx', name: 'lws' };
    const created = await createLws(world, { ...recorded, metadata: name, spec });
    await world.finish(
      world.client.patch(leaderWorkerSets, name, { type: 'merge', body: { status } }, { subresource: 'status' }),
    );
    await own(uidOf(created));
    const [before, lives, mark] = [world.live(), livesOf(world), world.ledger.mark()];
    world.startOperator();
    await world.run(10 * 60_000);
    expect(livesOf(world)).toEqual(lives);
    expect(world.live().spec).toEqual(before.spec);
    const written = writes(world, mark).filter((write) => /leaderworkersets|modelservings lws/.test(write));
    expect(new Set(written)).toEqual(new Set(['patch leaderworkersets/status lws']));
    expect((await liveLws(world, 'fx')).status).toMatchObject({ replicas: 1, readyReplicas: 1, updatedReplicas: 1 });
  });
});
