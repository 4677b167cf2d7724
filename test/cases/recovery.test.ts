import { describe, expect, it } from 'vitest';
import { uidOf } from '../../src/objects/index.ts';
import { operatorUser } from '../../src/simulation/index.ts';
import { applied, aWorld, condition, deletePod, pauseKubelets, podNamed, rolledOut, uids } from '../scenarios/world.ts';
import { aModelServing } from '../world/builders.ts';
import { countByName, evictPod, patchPod, podCreates, podDeletes, statusWrites, uidOfPod } from './helpers.ts';

describe('a Pod that has failed', () => {
  it('B002: with None is replaced alone where it was evicted', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().role('w', { replicas: 3 }).recovery('None').build());
    const before = uids(world);
    evictPod(world, 'ms-0-w-1-0');
    await world.until(() => ![undefined, before['ms-0-w-1-0']].includes(uids(world)['ms-0-w-1-0']));
    await world.until(rolledOut);
    const { 'ms-0-w-1-0': _, ...others } = before;
    expect(uids(world)).toMatchObject(others);
    expect(podDeletes(world).map(({ name }) => name)).toEqual(['ms-0-w-1-0']);
  });

  it('B005: and is told of three times in a row gets one grace and one delete', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().role('r').restartGrace(5).build());
    const uid = uidOfPod(world, 'ms-0-r-0-0');
    const resume = pauseKubelets(world);
    const [container] = podNamed(world, 'ms-0-r-0-0').status?.containerStatuses ?? [];
    const notReady = { type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:05:00Z' };
    const mark = world.ledger.mark();
    for (const restartCount of [1, 2, 3]) {
      const terminated = { exitCode: 1, reason: 'Error', startedAt: null, finishedAt: null };
      const containerStatuses = [{ ...container, restartCount, ready: false, state: { terminated } }];
      await patchPod(world, 'ms-0-r-0-0', { status: { conditions: [notReady], containerStatuses } }, true);
      await world.run(50);
    }
    expect(podDeletes(world, mark)).toEqual([]);
    await world.run(4_500);
    expect(podDeletes(world, mark)).toEqual([]);
    await world.run(1_000);
    resume();
    await world.until(rolledOut);
    const onPod = world.ledger.since(mark).writes({ by: operatorUser, resource: 'pods', name: 'ms-0-r-0-0' });
    expect(onPod.map(({ verb }) => verb)).toEqual(['patch', 'delete', 'create']);
    expect(uidOfPod(world, 'ms-0-r-0-0')).not.toBe(uid);
  });

  for (const how of ['evicted', 'deleted'] as const) {
    it(`B010: while no operator ran is made up for when one is back (${how})`, async () => {
      const world = await aWorld();
      await applied(world, aModelServing().role('r', { workers: 1 }).build());
      const before = uids(world);
      world.killOperator();
      if (how === 'deleted') await deletePod(world, 'ms-0-r-0-1', 0);
      else evictPod(world, 'ms-0-r-0-1');
      await world.run(60_000);
      const mark = world.ledger.mark();
      world.startOperator();
      await world.run(10_000);
      const after = uids(world);
      expect(Object.keys(after)).toEqual(Object.keys(before));
      for (const [name, uid] of Object.entries(after)) expect(uid, name).not.toBe(before[name]);
      expect(statusWrites(world, mark)[0]?.object).toMatchObject({ status: { availableReplicas: 0 } });
      await world.until(rolledOut);
    });
  }
});

describe('a role instance that lost a Pod', () => {
  it('B007: to a node that is gone is unavailable and taken down at once, and comes back when the Pod is', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().role('r', { workers: 1 }).build());
    const before = uids(world);
    await patchPod(world, 'ms-0-r-0-1', { metadata: { finalizers: ['test/held'] } });
    await deletePod(world, 'ms-0-r-0-1');
    await world.until(() => world.status().availableReplicas === 0, 2_000);
    await world.until(() => world.pods().length === 1);
    expect(podDeletes(world).map(({ name }) => name)).toEqual(['ms-0-r-0-0']);
    await world.run(10 * 60_000);
    expect(world.pods().map(uidOf)).toEqual([before['ms-0-r-0-1']]);
    const node = podNamed(world, 'ms-0-r-0-1').spec.nodeName;
    expect(condition(world, 'Progressing')).toContain(`waits for ms-0-r-0-1 on node ${node} to end`);
    await patchPod(world, 'ms-0-r-0-1', { metadata: { finalizers: null } });
    await world.until(() => world.pods().length === 2, 1_000);
    await world.until(rolledOut);
  });

  it('B011: has every other Pod deleted once, and the grace of none begun anew', async () => {
    const images = { 'engine:v1': { ignoresTerm: true } };
    const world = await aWorld({ images });
    await applied(world, aModelServing().role('r', { workers: 3, graceSeconds: 30 }).build());
    const before = uids(world);
    const mark = world.ledger.mark();
    await deletePod(world, 'ms-0-r-0-2');
    const ends = new Map<string, Set<string>>();
    await world.until((now) => {
      for (const { metadata } of now.pods()) {
        if (metadata.deletionTimestamp === undefined) continue;
        const seen = ends.get(metadata.uid ?? '') ?? new Set();
        ends.set(metadata.uid ?? '', seen.add(metadata.deletionTimestamp));
      }
      return rolledOut(now) && Object.entries(uids(now)).every(([name, uid]) => before[name] !== uid);
    });
    expect(countByName(podDeletes(world, mark))).toEqual({ 'ms-0-r-0-0': 1, 'ms-0-r-0-1': 1, 'ms-0-r-0-3': 1 });
    expect([...ends.values()].map((seen) => seen.size)).toEqual([1, 1, 1, 1]);
    const events = world.events('RoleDeleting').map(({ message }) => message);
    expect(new Set(events).size).toBe(events.length);
  });

  it('B015: its entry, comes back twenty times with all its Pods and one Service', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().role('r', { workers: 1 }).build());
    for (let round = 0; round < 20; round += 1) {
      const before = uids(world);
      await deletePod(world, 'ms-0-r-0-0');
      await world.until(() => {
        const after = uids(world);
        return Object.entries(before).every(([name, uid]) => after[name] !== undefined && after[name] !== uid);
      });
      await world.until(rolledOut);
      expect(world.seen.services.list().map(({ metadata }) => metadata.name)).toEqual(['ms-0-r-0-0']);
    }
  });
});

describe('identity labels that somebody edits', () => {
  const key = 'modelserving.volcano.sh/';
  for (const label of ['role-id', 'role', 'group-name', 'entry', 'name', 'revision', 'role-template-hash'] as const) {
    it(`B014: are put back where they are gone (${label})`, async () => {
      const world = await aWorld();
      await applied(world, aModelServing().role('r', { workers: 1 }).build());
      const before = world.pods().map(({ metadata }) => [metadata.uid, metadata.labels]);
      const creates = podCreates(world).length;
      await patchPod(world, 'ms-0-r-0-0', { metadata: { labels: { [`${key}${label}`]: null } } });
      await world.run(5_000);
      expect(world.pods().map(({ metadata }) => [metadata.uid, metadata.labels])).toEqual(before);
      expect(podCreates(world)).toHaveLength(creates);
      expect(podDeletes(world)).toEqual([]);
    });
  }

  it('B014: are put back where they are wrong, once, however often the operator looks', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().role('r', { workers: 1 }).build());
    const before = world.pods().map(({ metadata }) => [metadata.uid, metadata.labels]);
    const mark = world.ledger.mark();
    await patchPod(world, 'ms-0-r-0-1', {
      metadata: { labels: { [`${key}role-id`]: 'r-7', [`${key}entry`]: 'true', [`${key}name`]: 'other' } },
    });
    await world.run(60_000);
    expect(world.pods().map(({ metadata }) => [metadata.uid, metadata.labels])).toEqual(before);
    const writes = world.ledger.since(mark).writes({ by: operatorUser, resource: 'pods' });
    expect(writes.map(({ verb }) => verb)).toEqual(['patch']);
  });
});
