import { describe, expect, it } from 'vitest';
import { aModelServing } from '../world/builders.ts';
import { withEntryContainers, withRoles } from '../world/edits.ts';
import { applied, aWorld, condition, places, rolledOut, uids } from './world.ts';

const images = {
  'engine:missing': { pullError: 'engine:missing: not found' },
  'engine:slow': { neverReady: true },
};

const fourGroups = () => aModelServing().groups(4).image('engine:v1').inPlace();

const containerImages = (
  pods: readonly { readonly spec: { readonly containers: readonly { image?: string | undefined }[] } }[],
) => [...new Set(pods.flatMap((pod) => pod.spec.containers.map(({ image }) => image)))];

describe('an image that does not exist', () => {
  it('26: holds up one group and touches no other before the deadline', async () => {
    const world = await aWorld({ images });
    const ms = await applied(world, fourGroups().build());
    const before = places(world);
    await world.setImage(ms, 'engine:missing');
    await world.until(() => condition(world, 'UpdateInProgress').includes('InPlaceUpdateStalled'));
    await world.run(15 * 60_000);

    expect(condition(world, 'UpdateInProgress')).toMatch(
      /group 3: Pod ms-3-r-0-0: container c: the image cannot be pulled/,
    );
    expect(containerImages(world.group(3))).toEqual(['engine:missing']);
    for (const group of [0, 1, 2]) expect(containerImages(world.group(group))).toEqual(['engine:v1']);
    expect(world.status().availableReplicas).toBe(3);
    expect(world.ledger.deletes('pods')).toEqual([]);
    expect(places(world)).toEqual(before);
  });

  it('27: going back repairs the group in place and never touches the others', async () => {
    const world = await aWorld({ images });
    const ms = await applied(world, fourGroups().build());
    const before = places(world);
    await world.setImage(ms, 'engine:missing');
    await world.until(() => condition(world, 'UpdateInProgress').includes('InPlaceUpdateStalled'));
    const mark = world.ledger.mark();
    await world.setImage(ms, 'engine:v1');
    await world.until(rolledOut);

    expect(places(world)).toEqual(before);
    const patched = world.ledger
      .since(mark)
      .writes({ resource: 'pods', verb: 'patch' })
      .map(({ name }) => name);
    expect([...new Set(patched)].sort()).toEqual(['ms-3-r-0-0', 'ms-3-r-0-1']);
    expect(patched).toHaveLength(2);
  });

  it('28: a good image reaches the stuck group directly, then the others', async () => {
    const world = await aWorld({ images });
    const ms = await applied(world, fourGroups().build());
    const before = places(world);
    await world.setImage(ms, 'engine:missing');
    await world.until(() => condition(world, 'UpdateInProgress').includes('InPlaceUpdateStalled'));
    await world.setImage(ms, 'engine:v3');
    await world.until(rolledOut);

    expect(places(world)).toEqual(before);
    expect(containerImages(world.pods())).toEqual(['engine:v3']);
    expect(world.ledger.deletes('pods')).toEqual([]);
  });

  it('a retarget starts the clock anew', async () => {
    const world = await aWorld({ images });
    const ms = await applied(world, fourGroups().deadline(60).build());
    await world.setImage(ms, 'engine:missing');
    await world.run(50_000);
    await world.setImage(ms, 'engine:slow');
    await world.run(50_000);
    expect(world.events('ProgressDeadlineExceeded')).toEqual([]);
    await world.run(20_000);
    expect(world.events('ProgressDeadlineExceeded')).toHaveLength(1);
  });

  it('29: at the deadline warns first, then recreates the role instance, and starts no healthy group', async () => {
    const world = await aWorld({ images });
    const ms = await applied(world, fourGroups().deadline(60).build());
    const before = uids(world);
    await world.setImage(ms, 'engine:missing');
    await world.until(() => world.events('ProgressDeadlineExceeded').length > 0);
    await world.run(5 * 60_000);

    expect(world.events('ProgressDeadlineExceeded')).toHaveLength(1);
    const [warning] = world.events('ProgressDeadlineExceeded');
    const [firstDelete] = world.ledger.deletes('pods');
    expect(warning?.type).toBe('Warning');
    expect(Number(warning?.metadata.resourceVersion)).toBeLessThan(Number(firstDelete?.resourceVersion));
    expect(
      world.ledger
        .deletes('pods')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['ms-3-r-0-0', 'ms-3-r-0-1']);
    const after = uids(world);
    for (const name of Object.keys(before)) {
      if (name.startsWith('ms-3-')) expect(after[name]).not.toBe(before[name]);
      else expect(after[name]).toBe(before[name]);
    }
    expect(condition(world, 'UpdateInProgress')).toMatch(/^True ProgressDeadlineExceeded/);
  });

  it('30: with ServingGroupRecreate the whole group goes, after the event', async () => {
    const world = await aWorld({ images });
    const manifest = aModelServing()
      .groups(4)
      .inPlace()
      .role('a', { workers: 1, image: 'engine:v1' })
      .role('b', { image: 'other:v1' })
      .recovery('ServingGroupRecreate')
      .deadline(60)
      .build();
    const ms = await applied(world, manifest);
    await world.setImage(ms, 'engine:missing', 'a');
    await world.until(() => world.events('ProgressDeadlineExceeded').length > 0);
    await world.run(5 * 60_000);

    expect(
      world.ledger
        .deletes('pods')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['ms-3-a-0-0', 'ms-3-a-0-1', 'ms-3-b-0-0']);
  });

  it('31: with None nothing is deleted, and a later revert still repairs in place', async () => {
    const world = await aWorld({ images });
    const ms = await applied(world, fourGroups().recovery('None').deadline(60).build());
    const before = places(world);
    await world.setImage(ms, 'engine:missing');
    await world.until(() => world.events('ProgressDeadlineExceeded').length > 0);
    await world.run(5 * 60_000);
    expect(world.ledger.deletes('pods')).toEqual([]);
    await world.setImage(ms, 'engine:v1');
    await world.until(rolledOut);
    expect(places(world)).toEqual(before);
  });

  it('32: only the role instance that is not complete is recreated', async () => {
    const world = await aWorld({ images });
    const manifest = aModelServing()
      .groups(4)
      .inPlace()
      .role('a', { image: 'engine:v1' })
      .role('b', { image: 'other:v1' })
      .deadline(60)
      .build();
    const ms = await applied(world, manifest);
    await world.edit(ms, (live) =>
      withRoles(live, (role) =>
        withEntryContainers(role, (c) => ({ ...c, image: role.name === 'a' ? 'engine:v2' : 'engine:slow' })),
      ),
    );
    await world.until(() => world.events('ProgressDeadlineExceeded').length > 0);
    await world.run(5 * 60_000);
    expect(world.ledger.deletes('pods').map(({ name }) => name)).toEqual(['ms-3-b-0-0']);
  });
});
