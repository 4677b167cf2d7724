import { describe, expect, it } from 'vitest';
import type { Role } from '../../src/api/index.ts';
import { nameOf, type Pod } from '../../src/objects/index.ts';
import type { World } from '../../src/simulation/index.ts';
import { aModelServing } from '../world/builders.ts';
import { withEntryContainers, withRole } from '../world/edits.ts';
import { applied, aWorld, containerIds, deletedPods, places, rolledOut, uids } from './world.ts';

const images = { 'a:bad': { neverReady: true } };

const withEnv = (role: Role): Role =>
  withEntryContainers(role, (container) => ({ ...container, env: [{ name: 'MODE', value: 'fast' }] }));

const podsOfRole = (world: World, role: string) => world.pods().filter((pod) => nameOf(pod).includes(`-${role}-`));

const isServing = (pod: Pod): boolean =>
  pod.metadata.deletionTimestamp === undefined &&
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;

const pair = (groups = 1) =>
  aModelServing()
    .groups(groups)
    .role('a', { replicas: 3, maxUnavailable: 1, image: 'a:v1' })
    .role('b', { image: 'b:v1' })
    .byRole()
    .inPlace();

describe('RoleRollingUpdate', () => {
  it('59: updates the instances of the changed Role one by one, and relabels the other Role without a restart', async () => {
    const world = await aWorld();
    const ms = await applied(world, pair().build());
    const before = places(world);
    const untouched = containerIds(podsOfRole(world, 'b'));
    await world.setImage(ms, 'a:v2', 'a');
    await world.until(rolledOut);
    expect(places(world)).toEqual(before);
    expect(containerIds(podsOfRole(world, 'b'))).toEqual(untouched);
    const started = world.events('InPlaceUpdateStarted').map(({ message }) => message?.split(':')[0]);
    expect(started).toEqual(['ms-0/a-2', 'ms-0/a-1', 'ms-0/a-0']);
    const revisions = new Set(world.pods().map((pod) => pod.metadata.labels?.['modelserving.volcano.sh/revision']));
    expect([...revisions]).toEqual([world.status().updateRevision]);
    expect(deletedPods(world)).toEqual([]);
  });

  it('60: one Role goes in place while another is recreated, and the event is about that one alone', async () => {
    const world = await aWorld();
    const ms = await applied(world, pair().build());
    const before = uids(world);
    await world.edit(ms, (live) =>
      withRole(withRole(live, 'b', withEnv), 'a', (role) =>
        withEntryContainers(role, (c) => ({ ...c, image: 'a:v2' })),
      ),
    );
    await world.until(rolledOut);
    const after = uids(world);
    for (const name of ['ms-0-a-0-0', 'ms-0-a-1-0', 'ms-0-a-2-0']) expect(after[name]).toBe(before[name]);
    expect(after['ms-0-b-0-0']).not.toBe(before['ms-0-b-0-0']);
    const events = world.events('InPlaceUpdateFallback').map(({ message }) => message ?? '');
    expect(events).toHaveLength(1);
    expect(events[0]).toMatch(/^ms-0\/b-0 .*env/);
  });

  it('61: the planned restart brings no recreation of the group, even with ServingGroupRecreate', async () => {
    const world = await aWorld();
    const ms = await applied(world, pair().recovery('ServingGroupRecreate').build());
    const before = places(world);
    await world.setImage(ms, 'a:v2', 'a');
    await world.until(rolledOut);
    expect(places(world)).toEqual(before);
  });

  it('62: a new Role beside an image leaves the other Roles in place; by groups it is a reason to recreate', async () => {
    const world = await aWorld();
    const ms = await applied(world, pair().build());
    const before = places(world);
    const wanted = pair()
      .role('a', { replicas: 3, maxUnavailable: 1, image: 'a:v2' })
      .role('c', { image: 'c:v1' })
      .build();
    await world.edit(ms, (live) => ({ ...live, spec: wanted.spec }));
    await world.until(rolledOut);
    const after = places(world);
    for (const [name, place] of Object.entries(before)) expect(after[name]).toBe(place);
    expect(after['ms-0-c-0-0']).toBeDefined();

    const byGroup = await aWorld();
    const other = await applied(byGroup, aModelServing().groups(1).role('a', { image: 'a:v1' }).inPlace().build());
    await byGroup.edit(other, (live) => ({
      ...live,
      spec: aModelServing().groups(1).role('a', { image: 'a:v2' }).role('c', { image: 'c:v1' }).inPlace().build().spec,
    }));
    await byGroup.until(rolledOut);
    expect(byGroup.events('InPlaceUpdateFallback')[0]?.message).toMatch(/Role names/);
  });

  it('a Role that is gone is removed, without a rollout of the others', async () => {
    const world = await aWorld();
    const ms = await applied(world, pair().build());
    const before = places(world);
    await world.edit(ms, (live) => ({
      ...live,
      spec: {
        ...live.spec,
        template: { ...live.spec.template, roles: live.spec.template.roles.filter(({ name }) => name === 'a') },
      },
    }));
    await world.until((now) => podsOfRole(now, 'b').length === 0 && rolledOut(now));
    for (const [name, place] of Object.entries(places(world))) expect(before[name]).toBe(place);
    expect(podsOfRole(world, 'a')).toHaveLength(3);
  });

  it('86: a bad image in every group: at the deadline one group is recreated, the others keep serving', async () => {
    const world = await aWorld({ images });
    const manifest = aModelServing()
      .groups(3)
      .role('a', { image: 'a:v1' })
      .role('b', { image: 'b:v1' })
      .byRole()
      .inPlace()
      .recovery('ServingGroupRecreate')
      .deadline(60)
      .build();
    const ms = await applied(world, manifest);
    await world.setImage(ms, 'a:bad', 'a');
    await world.until(() => world.events('ProgressDeadlineExceeded').length === 3);
    const serving = (): number => podsOfRole(world, 'b').filter(isServing).length;
    let least = 3;
    for (let second = 0; second < 300; second += 1) {
      await world.run(1_000);
      least = Math.min(least, serving());
    }
    expect(deletedPods(world).length).toBeGreaterThan(0);
    expect(least).toBe(2);
  });
});
