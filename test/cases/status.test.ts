import { describe, expect, it } from 'vitest';
import { type ModelServing, modelServingResource } from '../../src/api/index.ts';
import type { LedgerEntry } from '../../src/cluster/index.ts';
import { nameOf } from '../../src/objects/index.ts';
import { operatorUser } from '../../src/simulation/index.ts';
import { applied, aWorld, condition, rolledOut } from '../scenarios/world.ts';
import { aModelServing } from '../world/builders.ts';
import { podDeletes, scaleTo, servingPods, statusWrites } from './helpers.ts';

const statusOf = ({ object }: LedgerEntry): NonNullable<ModelServing['status']> =>
  (object as ModelServing).status ?? {};

const before = (a: LedgerEntry, b: LedgerEntry): boolean => Number(a.resourceVersion) < Number(b.resourceVersion);

const annotate = (value: string): unknown => ({ metadata: { annotations: { 'example.com/touched': value } } });

describe('counts in the status', () => {
  it('B067: call a group unavailable before the first Pod of it is deleted', async () => {
    const world = await aWorld({ images: { 'engine:v2': { readyAfterMs: 8_000 } } });
    const ms = await applied(world, aModelServing().groups(2).role('w', { replicas: 2 }).byRole().recreate().build());
    const mark = world.ledger.mark();
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    const touched = new Set<string>();
    for (const entry of podDeletes(world, mark).slice(0, 2)) {
      touched.add(entry.name.slice(0, 'ms-0'.length));
      const told = statusWrites(world, mark)
        .filter((write) => before(write, entry))
        .at(-1);
      expect(told === undefined ? 2 : statusOf(told).availableReplicas).toBeLessThanOrEqual(2 - touched.size);
    }
    expect(touched.size).toBe(2);
  });

  it('B070: end at the target whenever the last Pod gets Ready', async () => {
    for (let seed = 1; seed <= 25; seed += 1) {
      const images = { 'engine:v2': { readyAfterMs: 100 + seed * 37 } };
      const world = await aWorld({ images, seed, ties: 'seeded', latencyMs: seed % 7 });
      const ms = await applied(world, aModelServing().groups(2).role('m').recreate().maxUnavailable(2).build());
      await world.setImage(ms, 'engine:v2');
      await world.until((now) => rolledOut(now) && now.live().metadata.generation === 2, 60_000);
      expect(world.status()).toMatchObject({ updatedReplicas: 2, currentReplicas: 2, availableReplicas: 2 });
    }
  });

  it('B072: belong to the generation they are written with', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().groups(3).role('m').recreate().build());
    const old = world.status().updateRevision;
    await world.setImage(ms, 'engine:v2');
    await world.until((now) => {
      const { status, metadata } = now.live();
      if (status?.observedGeneration === metadata.generation) {
        const updated = now.pods().filter((pod) => pod.spec.containers[0]?.image === 'engine:v2').length;
        expect(status?.updatedReplicas ?? 0).toBeLessThanOrEqual(updated);
      }
      return rolledOut(now);
    });
    for (const write of statusWrites(world)) {
      const { observedGeneration, updateRevision, conditions } = statusOf(write);
      expect(updateRevision === old).toBe(observedGeneration === 1);
      for (const it of conditions ?? []) expect(it.observedGeneration).toBe(observedGeneration);
    }
  });
});

describe('writing the status', () => {
  it('B073: goes on though somebody else writes the object twenty times a second', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().groups(3).role('m').recreate().build());
    const ref = { namespace: 'default', name: nameOf(ms) };
    const rollOut = async (image: string, disturbed: boolean): Promise<number> => {
      const began = world.machine.clock.monotonic();
      await world.setImage(ms, image);
      while (!rolledOut(world)) {
        await world.run(50);
        const body = annotate(String(world.machine.clock.monotonic()));
        if (disturbed) await world.finish(world.client.patch(modelServingResource, ref, { type: 'merge', body }));
      }
      return world.machine.clock.monotonic() - began;
    };
    const undisturbed = await rollOut('engine:v2', false);
    expect(await rollOut('engine:v3', true)).toBeLessThan(2 * undisturbed + 1_000);
    expect(world.log().filter((line) => /ERROR|WARN/.test(line))).toEqual([]);
  });

  it('B074: turns Available once, and dates a condition by its last change', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().groups(1).role('m').recreate().build());
    await world.run(60_000);
    const available = statusWrites(world).flatMap((write) => {
      const found = statusOf(write).conditions?.find(({ type }) => type === 'Available');
      return found === undefined ? [] : [found];
    });
    const changes = available.filter(({ status }, index) => available[index - 1]?.status !== status);
    expect(changes.map(({ status }) => status)).toEqual(['False', 'True']);
    for (const [index, { status, lastTransitionTime, reason, message }] of available.entries()) {
      const previous = available[index - 1];
      expect(reason).not.toBe('');
      expect(message).not.toBe('');
      if (previous?.status === status) expect(lastTransitionTime).toBe(previous.lastTransitionTime);
    }
  });

  it('B075: stops when nothing happens', async () => {
    const world = await aWorld();
    const names = Array.from({ length: 20 }, (_, index) => `idle-${index}`);
    for (const name of names) await world.apply(aModelServing({ name }).role('m').recreate().build());
    await world.until((now) => servingPods(now) === 20);
    await world.run(5_000);
    const mark = world.ledger.mark();
    await world.run(5 * 60_000);
    expect(world.ledger.since(mark).writes({ by: operatorUser })).toEqual([]);
  });

  it('B075: a create that is refused is tried ever more slowly and told of once', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().groups(1).role('m').recreate().build());
    let tries = 0;
    world.cluster.admission({
      name: 'quota',
      admit: ({ operation, resource, subresource }) => {
        if (operation !== 'CREATE' || resource !== 'pods' || subresource !== undefined) return { allowed: true };
        tries += 1;
        return { allowed: false, code: 403, message: 'exceeded quota: pods' };
      },
    });
    const mark = world.ledger.mark();
    await scaleTo(world, 2);
    await world.run(10 * 60_000);
    expect(tries).toBeLessThanOrEqual(16);
    expect(statusWrites(world, mark).length).toBeLessThanOrEqual(3);
    const events = world.events('PodCreationRefused').map(({ message }) => message);
    expect(events).toEqual([expect.stringContaining('exceeded quota: pods')]);
    expect(condition(world, 'Progressing')).toContain('the API server refuses to create Pod ms-1-m-0-0');
  });
});
