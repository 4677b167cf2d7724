import { describe, expect, it } from 'vitest';
import { resources } from '../../src/kube/index.ts';
import { nameOf, uidOf } from '../../src/objects/index.ts';
import { operatorUser, type World } from '../../src/simulation/index.ts';
import { applied, aWorld, condition, deletePod, rolledOut, uids } from '../scenarios/world.ts';
import { aModelServing } from '../world/builders.ts';
import { countByName, isServing, podCreates, podDeletes, scaleTo, servingPods } from './helpers.ts';

/** Lists and watches of Pods; a watch brings the list with it. */
const readsPods = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method === 'GET' && path.includes('/pods?');

/** Starts the operator again where it has died. */
const revived = (world: World): boolean => {
  if (!world.operator().process.isAlive()) world.startOperator();
  return true;
};

describe('an operator that is killed', () => {
  it('B123: in the middle of a creation leaves nothing undone and nothing done twice', async () => {
    const world = await aWorld();
    await world.apply(aModelServing().groups(3).role('m', { workers: 3 }).recreate().build());
    await world.until((now) => podCreates(now).length >= 5);
    world.killOperator();
    await world.run(5_000);
    world.startOperator();
    await world.until(rolledOut);
    expect(Object.values(countByName(podCreates(world)))).toEqual(Array.from({ length: 12 }, () => 1));
    expect(podDeletes(world)).toEqual([]);
  });

  type Step = readonly [name: string, act: (world: World) => Promise<unknown>, done: (world: World) => boolean];
  const steps: readonly Step[] = [
    [
      'a rollout by recreation',
      (world) => world.setImage(world.live(), 'engine:v2'),
      (world) => rolledOut(world) && world.pods().every(({ spec }) => spec.containers[0]?.image === 'engine:v2'),
    ],
    ['a scale-down', (world) => scaleTo(world, 1), (world) => world.pods().length === 2 && rolledOut(world)],
    [
      'a recovery',
      (world) => deletePod(world, 'ms-1-m-0-1', 0),
      (world) => rolledOut(world) && world.pods().length === 4 && world.pods().every(isServing),
    ],
  ];
  for (const [name, act, done] of steps) {
    it(`B123: around any one write of ${name} ends in the same state`, async () => {
      const play = async (write?: number): Promise<{ readonly world: World; readonly writes: number }> => {
        const world = await aWorld();
        await applied(world, aModelServing().groups(2).role('m', { workers: 1 }).recreate().build());
        await world.run(5_000);
        const before = world.operator().writes();
        if (write !== undefined) world.killOperator({ write, at: write % 2 === 0 ? 'before-send' : 'after-commit' });
        await act(world);
        await world.until((now) => revived(now) && done(now));
        await world.run(5_000);
        return { world, writes: world.operator().writes() - before };
      };
      const undisturbed = await play();
      const names = undisturbed.world.pods().map(nameOf);
      expect(undisturbed.writes).toBeGreaterThan(2);
      for (let write = 1; write <= undisturbed.writes; write += 1) {
        const { world } = await play(write);
        expect(world.pods().map(nameOf), `write ${write}`).toEqual(names);
        expect(done(world), `write ${write}`).toBe(true);
        for (const [pod, count] of Object.entries(countByName(podDeletes(world)))) {
          expect(count, `deletes of ${pod}, write ${write}`).toBe(1);
        }
      }
    }, 120_000);
  }
});

describe('an operator that starts', () => {
  it('B124: writes nothing before it has seen every Pod there is', async () => {
    const world = await aWorld();
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await world.apply(aModelServing({ name }).groups(1).role('m').recreate().build());
    await world.until((now) => servingPods(now) === 5 && names.every((name) => rolledOutAs(now, name)));
    await world.run(5_000);
    const mark = world.ledger.mark();
    world.killOperator();
    world.faults.add({ matches: readsPods, disturbance: { kind: 'slow-reply', byMs: 10_000 } });
    world.startOperator();
    await world.edit({ namespace: 'default', name: 'c' }, (live) => ({ ...live, spec: { ...live.spec, replicas: 2 } }));
    await world.run(15_000);
    expect(world.ledger.since(mark).writes({ by: operatorUser })).toEqual([]);
    await world.run(60_000);
    expect(countByName(podCreates(world, mark))).toEqual({ 'c-1-m-0-0': 1 });
    expect(podDeletes(world, mark)).toEqual([]);
  });

  it('B124: and may not list Pods says so, and takes them not for gone', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().groups(2).role('m').recreate().build());
    await world.run(5_000);
    const mark = world.ledger.mark();
    world.killOperator();
    const refuse = { kind: 'refuse', code: 403, reason: 'Forbidden', message: 'pods is forbidden' } as const;
    world.faults.add({ matches: readsPods, disturbance: refuse });
    world.startOperator();
    await scaleTo(world, 3);
    await world.run(60_000);
    expect(world.ledger.since(mark).writes({ by: operatorUser })).toEqual([]);
    expect(world.log().some((line) => line.includes('pods is forbidden'))).toBe(true);
    world.faults.clear();
    await world.until(rolledOut, 90_000);
    expect(countByName(podCreates(world, mark))).toEqual({ 'ms-2-m-0-0': 1 });
  });

  it('B128: beside another one that acts on the same objects undoes nothing of it', async () => {
    const world = await aWorld();
    await world.finish(world.startOperator('second').running);
    const ms = await applied(world, aModelServing().groups(3).role('m', { workers: 1 }).inPlace().build());
    const before = uids(world);
    const [first, second] = [world.operator(), world.operator('second')];
    first.process.pause();
    await world.setImage(ms, 'engine:v2');
    await world.until((now) => now.status().updatedReplicas === 1);
    first.process.resume();
    await world.until(rolledOut);
    expect(uids(world)).toEqual(before);
    second.process.pause();
    await scaleTo(world, 1);
    await world.until(() => podDeletes(world).length > 0);
    second.process.resume();
    await world.until((now) => now.pods().length === 2 && rolledOut(now));
    expect(Object.values(countByName(podCreates(world)))).toEqual([1, 1, 1, 1, 1, 1]);
    expect(Object.values(countByName(podDeletes(world)))).toEqual([1, 1, 1, 1]);
  });
});

describe('a ModelServing made again under the same name', () => {
  it('B125: leaves the orphans of the old one alone, names them, and goes on when they are gone', async () => {
    const world = await aWorld();
    const manifest = aModelServing().groups(2).role('m', { workers: 1, graceSeconds: 20 }).recreate().build();
    const old = await applied(world, manifest);
    const orphans = Object.values(uids(world));
    const ref = { namespace: 'default', name: nameOf(old) };
    const resource = {
      group: 'workload.serving.volcano.sh',
      version: 'v1alpha1',
      plural: 'modelservings',
      kind: 'ModelServing',
      namespaced: true,
    };
    await world.finish(world.client.delete(resource, ref, { propagationPolicy: 'Orphan' }));
    await world.run(1_000);
    const next = await world.apply(manifest);
    const mark = world.ledger.mark();
    await world.run(60_000);
    expect(world.pods().map(uidOf).toSorted()).toEqual(orphans.toSorted());
    expect(world.status()).toMatchObject({ replicas: 0, availableReplicas: 0 });
    expect(condition(world, 'Progressing')).toContain('Pod ms-0-m-0-0 exists and belongs to nobody; delete it');
    expect(world.ledger.since(mark).writes({ by: operatorUser, resource: 'pods' })).toEqual([]);
    for (const pod of world.pods()) await deletePod(world, nameOf(pod));
    for (const { metadata } of world.seen.services.list()) {
      const service = { namespace: 'default', name: metadata.name ?? '' };
      await world.finish(world.client.delete(resources.services, service));
    }
    await world.until(rolledOut, 60_000);
    expect(world.pods().every((pod) => pod.metadata.ownerReferences?.[0]?.uid === uidOf(next))).toBe(true);
  });
});

/** Of one ModelServing among several. */
function rolledOutAs(world: World, name: string): boolean {
  const { status, metadata } = world.live({ namespace: 'default', name });
  return status?.observedGeneration === metadata.generation && status?.availableReplicas === 1;
}
