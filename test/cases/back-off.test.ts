import { describe, expect, it } from 'vitest';
import { nameOf } from '../../src/objects/index.ts';
import type { World } from '../../src/simulation/index.ts';
import { applied, aWorld, condition, deletePod, rolledOut } from '../scenarios/world.ts';
import { aModelServing, type RoleOptions } from '../world/builders.ts';
import { countByName, editRole, evictPod, podCreates, podDeletes } from './helpers.ts';

const tenMinutes = 10 * 60_000;

/** A Role whose Pods are Failed one second after they started, whatever runs in them. */
const doomed: RoleOptions = { spec: (spec) => ({ ...spec, activeDeadlineSeconds: 1 }) };

/** Seconds between one create of a Pod and the next. */
const gaps = (world: World, name: string): readonly number[] => {
  const at = podCreates(world)
    .filter((entry) => entry.name === name)
    .map(({ atMs }) => atMs);
  return at.slice(1).map((ms, index) => Math.round((ms - (at[index] ?? 0)) / 1000));
};

describe('Pods that fail soon after they are made', () => {
  for (const policy of ['RoleRecreate', 'ServingGroupRecreate', 'None'] as const) {
    it(`B009: are made again ever more slowly, never beside the old one, and say when (${policy})`, async () => {
      const world = await aWorld();
      await world.apply(aModelServing().role('r', doomed).recovery(policy).build());
      await world.run(tenMinutes);
      expect(gaps(world, 'ms-0-r-0-0').slice(2, 8)).toEqual([4, 8, 16, 32, 64, 128]);
      expect(podCreates(world).length).toBeLessThanOrEqual(15);
      expect(podDeletes(world).length).toBeGreaterThanOrEqual(podCreates(world).length - 1);
      expect(world.log().filter((line) => line.includes('AlreadyExists') || line.includes('outcome=doubtful'))).toEqual(
        [],
      );
      expect(condition(world, 'Progressing')).toMatch(
        /Pod ms-0-r-0-0 ended as Failed \(DeadlineExceeded.*Pod ms-0-r-0-0 has ended soon after it was made, for the 10th time in a row; it is made again at 2026-01-01T00:13:\d\dZ, or at once/,
      );
      await world.run(60 * 60_000);
      expect(gaps(world, 'ms-0-r-0-0').slice(-5)).toEqual([300, 300, 300, 300, 300]);
    });
  }

  it('B009: wait no longer and no shorter when the operator starts anew all the time', async () => {
    const world = await aWorld();
    await world.apply(
      aModelServing()
        .role('r', { workers: 1, ...doomed })
        .build(),
    );
    for (let second = 0; second < 600; second += 7) {
      await world.run(7_000);
      world.killOperator();
      world.startOperator();
    }
    for (const count of Object.values(countByName(podCreates(world)))) expect(count).toBeLessThanOrEqual(15);
    expect(Math.max(...gaps(world, 'ms-0-r-0-0'))).toBeLessThanOrEqual(270);
  });

  it('B009: are made again at once when the spec is corrected, or when somebody deletes them', async () => {
    const world = await aWorld();
    await world.apply(aModelServing().role('r', doomed).build());
    await world.run(tenMinutes);
    const before = podCreates(world).length;
    await deletePod(world, 'ms-0-r-0-0', 0);
    await world.until(() => podCreates(world).length === before + 1, 1_000);
    await world.run(5_000);
    await editRole(world, 'r', (role) => aModelServing().role(role.name).build().spec.template.roles[0] ?? role);
    await world.until(rolledOut, 5_000);
    await world.run(tenMinutes);
    expect(world.status().recreations).toBeUndefined();
  });

  it('B009: count anew after they ran well for a while', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().role('r').build());
    for (let round = 1; round <= 4; round += 1) {
      const creates = podCreates(world).length;
      evictPod(world, 'ms-0-r-0-0');
      await world.until(() => podCreates(world).length > creates && rolledOut(world));
      expect(world.status().recreations?.[0]?.times).toBe(round);
    }
    await world.run(tenMinutes + 1_000);
    expect(world.status().recreations).toBeUndefined();
    const creates = podCreates(world).length;
    evictPod(world, 'ms-0-r-0-0');
    await world.until(() => podCreates(world).length > creates, 1_000);
  });

  it('B009: by crashing again and again are left to the kubelet between two recreations', async () => {
    const world = await aWorld({ images: { 'engine:bad': { exitsAfterMs: 500, exitCode: 1 } } });
    await world.apply(aModelServing().role('r', { workers: 1, image: 'engine:bad' }).build());
    await world.run(tenMinutes);
    for (const count of Object.values(countByName(podCreates(world)))) expect(count).toBeLessThanOrEqual(15);
    expect(condition(world, 'Progressing')).toMatch(/is not Ready \(container c .*for the \d+th time in a row/);
    expect(world.pods().map(nameOf)).toEqual(['ms-0-r-0-0', 'ms-0-r-0-1']);
  });
});
