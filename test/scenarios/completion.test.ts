import { describe, expect, it } from 'vitest';
import { nameOf } from '../../src/objects/index.ts';
import type { World } from '../../src/simulation/index.ts';
import { aModelServing } from '../world/builders.ts';
import { withEntryContainers, withRoles, withWorkerContainers } from '../world/edits.ts';
import {
  applied,
  aWorld,
  claimedUpdated,
  condition,
  containerIds,
  deletedPods,
  pauseKubelets,
  places,
  podNamed,
  rolledOut,
  specImages,
  truth,
} from './world.ts';

const oneGroup = () => aModelServing().groups(1).image('engine:v1').inPlace();
const fourGroups = () => aModelServing().groups(4).image('engine:v1').inPlace();

describe('a Pod counts as complete only when the target image really runs', () => {
  it('2: a group that is still Ready between patch and kubelet frees no slot', async () => {
    const world = await aWorld();
    const ms = await applied(world, fourGroups().build());
    const resume = pauseKubelets(world);
    await world.setImage(ms, 'engine:v2');
    await world.run(60_000);

    expect(world.status()).toMatchObject({ availableReplicas: 3, updatedReplicas: 0 });
    expect(world.events('InPlaceUpdateStarted')).toHaveLength(1);
    expect(world.pods().filter((pod) => pod.spec.containers[0]?.image === 'engine:v2')).toHaveLength(2);
    resume();
    await world.until(rolledOut);
  });

  it('3: where only the worker changes, the entry is marked and not restarted', async () => {
    const world = await aWorld();
    const ms = await applied(world, oneGroup().build());
    const entryBefore = world.group(0)[0]?.status?.containerStatuses?.[0]?.containerID;
    await world.edit(ms, (live) =>
      withRoles(live, (role) => withWorkerContainers(role, (c) => ({ ...c, image: 'engine:v2' }))),
    );
    await world.until(rolledOut);
    const [entry, worker] = world.group(0);
    expect(entry?.status?.containerStatuses?.[0]?.containerID).toBe(entryBefore);
    expect(entry?.spec.containers[0]?.image).toBe('engine:v1');
    expect(truth(world)).toEqual(['engine:v1', 'engine:v2']);
    expect(worker?.status?.containerStatuses?.[0]?.restartCount).toBe(1);
    expect(world.ledger.deletes('pods')).toEqual([]);
  });

  it('4: of three containers only the two that change get new ones', async () => {
    const world = await aWorld();
    const images = { a: 'a:v1', b: 'b:v1', keep: 'keep:v1' };
    const ms = await applied(world, aModelServing().groups(1).role('r', { images }).inPlace().build());
    const kept = () => world.group(0)[0]?.status?.containerStatuses?.find(({ name }) => name === 'keep')?.containerID;
    const before = kept();
    const next = aModelServing()
      .groups(1)
      .role('r', { images: { a: 'a:v2', b: 'b:v2', keep: 'keep:v1' } })
      .inPlace()
      .build();
    await world.edit(ms, (live) => ({ ...live, spec: next.spec }));
    await world.until(rolledOut);
    const restarts = world
      .group(0)[0]
      ?.status?.containerStatuses?.map(({ name, restartCount }) => [name, restartCount]);
    expect(Object.fromEntries(restarts ?? [])).toEqual({ a: 1, b: 1, keep: 0 });
    expect(kept()).toBe(before);
  });

  it('16: a second tag of the same image completes, though no field ever shows it', async () => {
    const world = await aWorld({ images: { 'engine:v1': { content: 'same' }, 'engine:alias': { content: 'same' } } });
    const ms = await applied(world, oneGroup().build());
    const before = places(world);
    await world.setImage(ms, 'engine:alias');
    await world.until(rolledOut, 60 * 60_000);
    expect(places(world)).toEqual(before);
    expect(world.group(0)[0]?.status?.containerStatuses?.[0]).toMatchObject({ restartCount: 1 });
    expect(world.group(0)[0]?.status?.containerStatuses?.[0]?.image).toMatch(/engine:v1$/);
  });

  it('21: a new container that restarts four times before it is Ready completes, with no recovery then or later', async () => {
    const world = await aWorld({ images: { 'engine:v2': { neverReady: true } } });
    const ms = await applied(world, oneGroup().build());
    await world.setImage(ms, 'engine:v2');
    await world.until(() => truth(world).every((image) => image === 'engine:v2'));
    for (let crash = 0; crash < 4; crash += 1) {
      const [entry] = world.group(0);
      if (entry === undefined) throw new Error('no entry Pod');
      world.cluster.nodes.kill(entry, 'c', { code: 1 });
      await world.until(() => (world.group(0)[0]?.status?.containerStatuses?.[0]?.restartCount ?? 0) >= crash + 2);
    }
    for (const pod of world.pods()) world.cluster.nodes.setReady(pod, 'c', true);
    await world.until(rolledOut);
    await world.run(30 * 60_000);
    expect(world.ledger.deletes('pods')).toEqual([]);
    expect(rolledOut(world)).toBe(true);
  });

  for (const graceSeconds of [3, 600]) {
    it(`36a: going back while the first container is still being killed is not complete on the wrong one (grace ${graceSeconds} s)`, async () => {
      const world = await aWorld({
        images: { 'engine:v1': { ignoresTerm: true }, 'engine:v2': { ignoresTerm: true } },
      });
      const manifest = aModelServing().groups(1).role('r', { workers: 1, graceSeconds }).inPlace().build();
      const ms = await applied(world, manifest);
      const before = places(world);
      await world.setImage(ms, 'engine:v2');
      await world.until(() => world.group(0).every((pod) => pod.status?.observedGeneration === 2));
      await world.run((graceSeconds * 1000) / 2);
      await world.setImage(ms, 'engine:v1');
      await world.until(() => truth(world).includes('engine:v2'), 30 * 60_000);
      const liesSeen = await whileRunning(world, 'engine:v2');
      await world.until(rolledOut, 2 * 60 * 60_000);

      expect(liesSeen).toBe(0);
      expect(truth(world)).toEqual(['engine:v1', 'engine:v1']);
      expect(places(world)).toEqual(before);
      expect(world.ledger.deletes('pods')).toEqual([]);
    });
  }
});

/** Steps until no Pod runs the image any more; counts the moments at which the rollout called itself done meanwhile. */
const whileRunning = async (world: World, image: string): Promise<number> => {
  let lies = 0;
  while (truth(world).includes(image)) {
    if (rolledOut(world) || world.status().updatedReplicas === 1) lies += 1;
    await world.run(500);
  }
  return lies;
};

describe('an image whose runtime reports another tag for it', () => {
  it('is not taken for the target it is named after: v1, v2 that calls itself v1, back to v1', async () => {
    const images = {
      'engine:v1': { ignoresTerm: true },
      'engine:v2': { ignoresTerm: true, reportedAs: 'docker.io/library/engine:v1' },
    };
    const world = await aWorld({ images });
    const ms = await applied(world, aModelServing().groups(1).role('r', { graceSeconds: 60 }).inPlace().build());
    await world.setImage(ms, 'engine:v2');
    await world.until(() => world.pods()[0]?.status?.observedGeneration === 2);
    await world.run(5_000);
    await world.setImage(ms, 'engine:v1');
    await world.until(() => truth(world)[0] === 'engine:v2', 30 * 60_000);
    const liesSeen = await whileRunning(world, 'engine:v2');
    await world.until(rolledOut, 2 * 60 * 60_000);
    expect(liesSeen).toBe(0);
    expect(truth(world)).toEqual(['engine:v1']);
  });
});

describe('going back', () => {
  it('35: before the kubelet looked, leaves the Pods alone and completes once settled', async () => {
    const world = await aWorld();
    const ms = await applied(world, oneGroup().build());
    const before = containerIds(world.pods());
    const resume = pauseKubelets(world);
    await world.setImage(ms, 'engine:v2');
    await world.until(() => specImages(world.pods()).join() === 'engine:v2');
    await world.setImage(ms, 'engine:v1');
    await world.until(() => specImages(world.pods()).join() === 'engine:v1');
    resume();
    await world.until(rolledOut);
    expect(containerIds(world.pods())).toEqual(before);
    expect(condition(world, 'Available')).toMatch(/^True/);
  });

  it('36: the same where kubelets report no generation', async () => {
    const world = await aWorld({ nodes: [{ name: 'old', reportsObservedGeneration: false }] });
    const ms = await applied(world, oneGroup().build());
    const before = containerIds(world.pods());
    const resume = pauseKubelets(world);
    await world.setImage(ms, 'engine:v2');
    await world.until(() => specImages(world.pods()).join() === 'engine:v2');
    await world.setImage(ms, 'engine:v1');
    await world.until(() => specImages(world.pods()).join() === 'engine:v1');
    resume();
    await world.run(5 * 60_000);
    expect(rolledOut(world)).toBe(false);
    await world.until(rolledOut, 60 * 60_000);
    expect(containerIds(world.pods())).toEqual(before);
  });

  it('37: while the old container is being killed, completes on the one after it', async () => {
    const world = await aWorld({ images: { 'engine:v1': { ignoresTerm: true } } });
    const ms = await applied(world, oneGroup().build());
    await world.setImage(ms, 'engine:v2');
    await world.until(() => world.pods().every((pod) => pod.status?.observedGeneration === 2));
    await world.run(1_000);
    await world.setImage(ms, 'engine:v1');
    await world.until(rolledOut, 60 * 60_000);
    expect(truth(world)).toEqual(['engine:v1', 'engine:v1']);
    expect(deletedPods(world)).toEqual([]);
  });

  it('83: to a target that already loads, completes on that same container', async () => {
    const world = await aWorld({ images: { 'engine:v2': { neverReady: true } } });
    const ms = await applied(world, oneGroup().deadline(600).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(() => truth(world).join() === 'engine:v2,engine:v2');
    await world.run(10_000);
    const loading = containerIds(world.pods());
    const resume = pauseKubelets(world);
    await world.setImage(ms, 'engine:v3');
    await world.until(() => specImages(world.pods()).join() === 'engine:v3');
    await world.setImage(ms, 'engine:v2');
    await world.until(() => specImages(world.pods()).join() === 'engine:v2');
    // A kubelet that had already taken v3 as its next sync would go through with it; one that starts anew has not.
    for (const node of world.seen.nodes.list()) world.cluster.nodes.restartKubelet(node.metadata.name ?? '');
    resume();
    for (const pod of world.pods()) world.cluster.nodes.setReady(pod, 'c', true);
    await world.until(rolledOut);
    expect(containerIds(world.pods())).toEqual(loading);
    expect(deletedPods(world)).toEqual([]);
  });
});

describe('a status that looks right', () => {
  it('17, 70: is not complete on the dying container, though it may show the new tag; completes afterwards', async () => {
    const images = { 'engine:v1': { content: 'same', ignoresTerm: true }, 'engine:v2': { content: 'same' } };
    const world = await aWorld({ images });
    const manifest = aModelServing().groups(1).role('r', { graceSeconds: 600 }).inPlace().build();
    const ms = await applied(world, manifest);
    const [old] = containerIds(world.pods());
    await world.setImage(ms, 'engine:v2');
    await world.until(() => world.pods()[0]?.status?.observedGeneration === 2);
    while (containerIds(world.pods())[0] === old) {
      expect(claimedUpdated(world)).toBe(0);
      await world.run(10_000);
    }
    await world.until(rolledOut, 60 * 60_000);
    expect(deletedPods(world)).toEqual([]);
  });

  it('18: a container that vanished, with empty IDs, is no evidence', async () => {
    const world = await aWorld({ images: { 'engine:v2': { pullMs: 120_000 } } });
    const ms = await applied(world, oneGroup().build());
    await world.setImage(ms, 'engine:v2');
    await world.until(() => world.pods().every((pod) => pod.status?.observedGeneration === 2));
    for (const pod of world.pods()) world.cluster.nodes.lose(pod, 'c');
    await world.run(60_000);
    expect(claimedUpdated(world)).toBe(0);
    await world.until(rolledOut);
    expect(truth(world)).toEqual(['engine:v2', 'engine:v2']);
  });

  it('19: a status from before the patch is ignored, however good it looks', async () => {
    const world = await aWorld();
    const ms = await applied(world, oneGroup().build());
    for (const node of world.seen.nodes.list()) world.cluster.nodes.mute(node.metadata.name ?? '', true);
    await world.setImage(ms, 'engine:v2');
    await world.run(5 * 60_000);
    expect(truth(world)).toEqual(['engine:v2', 'engine:v2']);
    expect(world.pods().every((pod) => pod.status?.observedGeneration === 1)).toBe(true);
    expect(claimedUpdated(world)).toBe(0);
    for (const node of world.seen.nodes.list()) world.cluster.nodes.mute(node.metadata.name ?? '', false);
    await world.until(rolledOut);
  });

  it('19: nor does it prove that a revert needed nothing, while another image runs behind it', async () => {
    const world = await aWorld();
    const ms = await applied(world, oneGroup().build());
    for (const node of world.seen.nodes.list()) world.cluster.nodes.mute(nameOf(node), true);
    await world.setImage(ms, 'engine:v2');
    await world.until(() => truth(world).join() === 'engine:v2,engine:v2');
    pauseKubelets(world);
    await world.setImage(ms, 'engine:v1');
    await world.run(25 * 60_000);
    expect(truth(world)).toEqual(['engine:v2', 'engine:v2']);
    expect(claimedUpdated(world)).toBe(0);
  });

  it('20: an old container that crashes and restarts on v1 just before the kubelet looks is not the new one', async () => {
    const world = await aWorld({ images: { 'engine:v1': { ignoresTerm: true } } });
    const ms = await applied(world, aModelServing().groups(1).role('r', { graceSeconds: 120 }).inPlace().build());
    world.cluster.nodes.kill(podNamed(world, 'ms-0-r-0-0'), 'c', { code: 1 });
    await world.setImage(ms, 'engine:v2');
    await world.until(() => specImages(world.pods()).join() === 'engine:v2');
    while (truth(world)[0] !== 'engine:v2') {
      expect(claimedUpdated(world)).toBe(0);
      await world.run(1_000);
    }
    await world.until(rolledOut);
    expect(deletedPods(world)).toEqual([]);
  });

  it('22: a peer that restarts because the entry did is absorbed', async () => {
    const world = await aWorld();
    const ms = await applied(
      world,
      oneGroup()
        .role('r', { workers: 1, images: { c: 'engine:v1' } })
        .build(),
    );
    await world.edit(ms, (live) =>
      withRoles(live, (role) => withEntryContainers(role, (c) => ({ ...c, image: 'engine:v2' }))),
    );
    await world.until(() => truth(world)[0] === 'engine:v2');
    world.cluster.nodes.kill(podNamed(world, 'ms-0-r-0-1'), 'c', { code: 1 });
    await world.until(rolledOut);
    await world.run(10 * 60_000);
    expect(deletedPods(world)).toEqual([]);
  });

  it('81: an image set during the very first pull is never complete while the old one, or nothing, runs', async () => {
    const images = { 'engine:v1': { pullMs: 60_000 }, 'engine:v2': { pullMs: 600_000 } };
    const world = await aWorld({ images });
    const manifest = aModelServing().groups(1).role('r', { probe: false }).inPlace().build();
    const ms = await world.apply(manifest);
    await world.until(() => world.pods().length === 1 && world.pods()[0]?.spec.nodeName !== undefined);
    await world.run(5_000);
    await world.setImage(ms, 'engine:v2');
    await world.run(100_000);
    world.killOperator();
    world.startOperator();
    while (truth(world)[0] !== 'engine:v2') {
      expect(claimedUpdated(world)).toBe(0);
      await world.run(5_000);
    }
    await world.until(rolledOut, 60 * 60_000);
    expect(deletedPods(world)).toEqual([]);
  });

  it('82: with two containers killed one after the other, waits until both run the target', async () => {
    const images = { 'a:v1': { ignoresTerm: true }, 'b:v1': { ignoresTerm: true } };
    const world = await aWorld({ images });
    const role = (tag: string) => ({ images: { a: `a:${tag}`, b: `b:${tag}` }, graceSeconds: 60, probe: false });
    const ms = await applied(world, aModelServing().groups(1).role('r', role('v1')).inPlace().build());
    await world.edit(ms, (live) => ({
      ...live,
      spec: aModelServing().groups(1).role('r', role('v2')).inPlace().build().spec,
    }));
    await world.until(() => world.pods()[0]?.status?.observedGeneration === 2);
    await world.run(2_000);
    await world.edit(ms, (live) => ({
      ...live,
      spec: aModelServing().groups(1).role('r', role('v1')).inPlace().build().spec,
    }));
    const both = () => `${truth(world, 'a')},${truth(world, 'b')}`;
    await world.until(() => both().includes('v2'));
    while (both().includes('v2')) {
      expect(world.status().availableReplicas).toBe(0);
      await world.run(1_000);
    }
    await world.until(rolledOut, 60 * 60_000);
    expect(both()).toBe('a:v1,b:v1');
  });
});
