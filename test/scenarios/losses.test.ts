import { describe, expect, it } from 'vitest';
import { uidOf } from '../../src/objects/index.ts';
import { aModelServing } from '../world/builders.ts';
import {
  applied,
  aWorld,
  condition,
  deletedPods,
  deletePod,
  places,
  podNamed,
  rolledOut,
  specImages,
  uids,
} from './world.ts';

const groups = (count: number) => aModelServing().groups(count).image('engine:v1').inPlace();

describe('a Pod lost during an update', () => {
  it('53: by hand, brings the recovery policy, and the replacement comes at the target', async () => {
    const world = await aWorld({ images: { 'engine:v2': { readyAfterMs: 20_000 } } });
    const ms = await applied(world, groups(2).build());
    const before = uids(world);
    await world.setImage(ms, 'engine:v2');
    await world.until(() => specImages(world.group(1)).join() === 'engine:v2');
    await deletePod(world, 'ms-1-r-0-1');
    await world.until(rolledOut);
    const after = uids(world);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
    for (const name of ['ms-1-r-0-0', 'ms-1-r-0-1']) expect(after[name]).not.toBe(before[name]);
    for (const name of ['ms-0-r-0-0', 'ms-0-r-0-1']) expect(after[name]).toBe(before[name]);
  });

  it('54: by eviction, is not absorbed', async () => {
    const world = await aWorld({ images: { 'engine:v2': { readyAfterMs: 20_000 } } });
    const ms = await applied(world, groups(1).build());
    const before = uids(world);
    await world.setImage(ms, 'engine:v2');
    await world.until(() => specImages(world.group(0)).join() === 'engine:v2');
    const pod = podNamed(world, 'ms-0-r-0-1');
    const status = { phase: 'Failed', reason: 'Evicted', message: 'the node was low on memory' };
    await world.finish(
      world.client.patch(
        { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true },
        { namespace: 'default', name: 'ms-0-r-0-1' },
        { type: 'merge', body: { status } },
        { subresource: 'status' },
      ),
    );
    await world.until(() => world.pods().every((now) => uidOf(now) !== uidOf(pod)));
    await world.until(rolledOut);
    expect(uids(world)['ms-0-r-0-0']).not.toBe(before['ms-0-r-0-0']);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
  });

  it('71: nothing is patched any more once the ModelServing is being deleted', async () => {
    const world = await aWorld({ images: { 'engine:v2': { readyAfterMs: 60_000 } } });
    const ms = await applied(world, groups(4).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(() => specImages(world.group(3)).join() === 'engine:v2');
    const mark = world.ledger.mark();
    await world.remove(ms);
    await world.until(() => world.pods().length === 0);
    const own = world.ledger.since(mark).writes({ by: 'system:serviceaccount:modelserving-system:modelserving' });
    expect(own.filter(({ resource }) => resource === 'pods')).toEqual([]);
    expect(world.seen.services.list()).toEqual([]);
  });

  it('69: with its node unreachable, waits, and at the deadline the recovery policy applies', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(1).deadline(60).build());
    for (const node of world.seen.nodes.list()) world.cluster.nodes.pause(node.metadata.name ?? '');
    await world.setImage(ms, 'engine:v2');
    await world.run(55_000);
    expect(deletedPods(world)).toEqual([]);
    await world.run(30_000);
    expect(world.events('ProgressDeadlineExceeded')).toHaveLength(1);
    expect(deletedPods(world)).toContain('ms-0-r-0-0');
    expect(condition(world, 'UpdateInProgress')).toMatch(/waits for ms-0-r-0-\d on node node-\d/);
  });

  it('87: after an update, scaled down while its node is dead, stays Terminating and named; everything else goes on', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(3).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    const node = podNamed(world, 'ms-2-r-0-0').spec.nodeName ?? '';
    world.cluster.nodes.pause(node);
    await world.edit(ms, (live) => ({ ...live, spec: { ...live.spec, replicas: 2 } }));
    await world.run(10 * 60_000);
    expect(world.group(2).some((pod) => pod.metadata.deletionTimestamp !== undefined)).toBe(true);
    const told = JSON.stringify(world.status().conditions);
    expect(told).toContain(`ms-2-r-0-0 on node ${node}`);
    world.cluster.nodes.resume(node);
    await world.until(() => world.group(2).length === 0);
    await world.until(rolledOut);
  });
});

describe('what must not be mistaken for a loss or a failure', () => {
  it('55: a Pod that cannot be scheduled gets the new image where it is', async () => {
    const world = await aWorld({ nodes: [{ name: 'small', maxPods: 1 }] });
    const ms = await world.apply(aModelServing().groups(1).image('engine:bad').inPlace().build());
    await world.until(() => world.pods().length === 2);
    await world.run(5_000);
    const before = uids(world);
    await world.setImage(ms, 'engine:v2');
    await world.until(() => specImages(world.pods()).join() === 'engine:v2');
    await world.finish(world.cluster.nodes.add({ name: 'large' }));
    await world.until(rolledOut);
    expect(uids(world)).toEqual(before);
  });

  it('57: a debug container that somebody attaches', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(1).build());
    const before = places(world);
    await world.setImage(ms, 'engine:v2');
    await world.until(() => specImages(world.pods()).join() === 'engine:v2');
    const ephemeralContainers = [{ name: 'debug', image: 'busybox', targetContainerName: 'c' }];
    await world.finish(
      world.client.patch(
        { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true },
        { namespace: 'default', name: 'ms-0-r-0-0' },
        { type: 'strategic', body: { spec: { ephemeralContainers } } },
        { subresource: 'ephemeralcontainers' as never },
      ),
    );
    await world.until(rolledOut);
    expect(places(world)).toEqual(before);
    expect(deletedPods(world)).toEqual([]);
    expect(world.events('InPlaceImageDrift')).toEqual([]);
  });

  it('58: a marker that is broken, or copied from another Pod, counts as absent and says so', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(1).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    const before = places(world);
    const key = 'modelserving.volcano.sh/inplace-update-state';
    const foreign = podNamed(world, 'ms-0-r-0-0').metadata.annotations?.[key] ?? '';
    for (const [name, marker] of [
      ['ms-0-r-0-0', '{broken'],
      ['ms-0-r-0-1', foreign],
    ] as const) {
      await world.finish(
        world.client.patch(
          { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true },
          { namespace: 'default', name },
          { type: 'merge', body: { metadata: { annotations: { [key]: marker } } } },
        ),
      );
    }
    await world.until(() => world.events('InPlaceUpdateStateInvalid').length === 2);
    await world.until(rolledOut, 60 * 60_000);
    expect(places(world)).toEqual(before);
    expect(deletedPods(world)).toEqual([]);
  });

  it('B002: with None, a restart keeps its Pod, and only a Pod that is gone is made again', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().groups(1).role('r', { replicas: 3 }).recovery('None').build());
    const before = uids(world);
    world.cluster.nodes.kill(podNamed(world, 'ms-0-r-0-0'), 'c', { code: 1 });
    await world.run(60_000);
    expect(deletedPods(world)).toEqual([]);
    await world.until(rolledOut);
    expect(uids(world)).toEqual(before);
    await deletePod(world, 'ms-0-r-1-0');
    await world.until(() => uids(world)['ms-0-r-1-0'] !== before['ms-0-r-1-0'] && rolledOut(world));
    const after = uids(world);
    expect(after['ms-0-r-1-0']).toBeDefined();
    for (const name of ['ms-0-r-0-0', 'ms-0-r-2-0']) expect(after[name]).toBe(before[name]);
    expect(ms.metadata.name).toBe('ms');
  });
});

describe('after an update', () => {
  it('23: readiness lost by the probe alone brings no recovery', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(1).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    world.cluster.nodes.setReady(podNamed(world, 'ms-0-r-0-0'), 'c', false);
    await world.run(30 * 60_000);
    expect(world.status().availableReplicas).toBe(0);
    expect(deletedPods(world)).toEqual([]);
  });

  it('24: a crash that is not followed by readiness brings it, after the grace', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(1).restartGrace(120).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    const pod = podNamed(world, 'ms-0-r-0-0');
    world.cluster.nodes.setReady(pod, 'c', false);
    world.cluster.nodes.kill(pod, 'c', { code: 1 });
    await world.run(110_000);
    expect(deletedPods(world)).toEqual([]);
    await world.until(() => deletedPods(world).length === 2, 60_000);
  });

  it('25: restarts from before the update mean nothing', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(1).restartGrace(600).build());
    for (let crash = 1; crash <= 3; crash += 1) {
      world.cluster.nodes.kill(podNamed(world, 'ms-0-r-0-0'), 'c', { code: 1 });
      await world.until(
        (now) => podNamed(now, 'ms-0-r-0-0').status?.containerStatuses?.[0]?.restartCount === crash && rolledOut(now),
      );
    }
    const before = places(world);
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    await world.run(30 * 60_000);
    expect(places(world)).toEqual(before);
    expect(deletedPods(world)).toEqual([]);
  });
});

describe('inside an update window', () => {
  it('a Pod made again at the target may restart like any other: its peers are still loading', async () => {
    const world = await aWorld({ images: { 'a:v2': { readyAfterMs: 120_000 } } });
    const manifest = aModelServing()
      .groups(1)
      .role('a', { image: 'a:v1' })
      .role('b', { image: 'b:v1' })
      .inPlace()
      .build();
    const ms = await applied(world, manifest);
    const before = uids(world)['ms-0-b-0-0'];
    await world.setImage(ms, 'a:v2', 'a');
    await world.until(() => world.events('InPlaceUpdateStarted').length === 1);
    await deletePod(world, 'ms-0-b-0-0');
    await world.until(() => ![undefined, before].includes(uids(world)['ms-0-b-0-0']));
    await world.run(10_000);
    const replacement = uids(world)['ms-0-b-0-0'];
    world.cluster.nodes.setReady(podNamed(world, 'ms-0-b-0-0'), 'c', false);
    world.cluster.nodes.kill(podNamed(world, 'ms-0-b-0-0'), 'c', { code: 1 });
    await world.run(30_000);
    expect(uids(world)['ms-0-b-0-0']).toBe(replacement);
    world.cluster.nodes.setReady(podNamed(world, 'ms-0-b-0-0'), 'c', true);
    await world.until(rolledOut);
  });
});

describe('recovery', () => {
  for (const policy of ['RoleRecreate', 'ServingGroupRecreate'] as const) {
    it(`B001: a Role of one Pod is made again twenty times in a row (${policy})`, async () => {
      const world = await aWorld();
      await applied(world, aModelServing().groups(1).role('r').recovery(policy).build());
      for (let round = 0; round < 20; round += 1) {
        const before = uids(world)['ms-0-r-0-0'];
        await deletePod(world, 'ms-0-r-0-0');
        await world.until(() => ![undefined, before].includes(uids(world)['ms-0-r-0-0']));
        await world.until(rolledOut);
      }
    });
  }

  it('B003: with ServingGroupRecreate nothing of the group is made before all of it is gone', async () => {
    const world = await aWorld();
    const manifest = aModelServing()
      .groups(1)
      .role('p', { workers: 1 })
      .role('d', { workers: 1 })
      .recovery('ServingGroupRecreate')
      .build();
    await applied(world, manifest);
    const before = uids(world);
    const mark = world.ledger.mark();
    await deletePod(world, 'ms-0-d-0-1');
    await world.until(
      () =>
        world.pods().length === 4 && Object.values(uids(world)).every((uid) => !Object.values(before).includes(uid)),
    );
    await world.until(rolledOut);
    const pods = world.ledger.since(mark).writes({ resource: 'pods' });
    const firstCreate = pods.findIndex(({ verb }) => verb === 'create');
    const gone = pods
      .slice(0, firstCreate)
      .filter(({ verb }) => verb === 'delete')
      .map(({ name }) => name);
    expect(new Set(gone)).toEqual(new Set(Object.keys(before)));
    expect(pods.filter(({ verb }) => verb === 'create')).toHaveLength(4);
  });

  it('89: a liveness kill and restart in one sync, never Ready again, counts as failed after the grace', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().groups(1).role('r').restartGrace(30).build());
    const before = uids(world)['ms-0-r-0-0'];
    const pod = podNamed(world, 'ms-0-r-0-0');
    world.cluster.nodes.kill(pod, 'c', { code: 137 });
    world.cluster.nodes.setReady(pod, 'c', false);
    await world.run(25_000);
    expect(uids(world)['ms-0-r-0-0']).toBe(before);
    await world.until(() => ![undefined, before].includes(uids(world)['ms-0-r-0-0']), 60_000);
  });

  it('85: a healthy group that crashes while another has failed on the new image is rebuilt on the old one', async () => {
    const world = await aWorld({ images: { 'engine:bad': { neverReady: true } } });
    const ms = await applied(world, groups(2).deadline(60).build());
    await world.setImage(ms, 'engine:bad');
    await world.until(() => world.events('ProgressDeadlineExceeded').length === 1);
    world.cluster.nodes.kill(podNamed(world, 'ms-0-r-0-0'), 'c', { code: 1 });
    await deletePod(world, 'ms-0-r-0-1');
    await world.run(60_000);
    expect(world.group(0)).toHaveLength(2);
    expect(specImages(world.group(0))).toEqual(['engine:v1']);
  });
});

describe('a ModelServing that comes and goes', () => {
  it('B057: with no replicas completes its reconcile, and scales from there', async () => {
    const world = await aWorld();
    const ms = await applied(world, aModelServing().groups(0).image('engine:v1').build());
    expect(world.status()).toMatchObject({ replicas: 0, availableReplicas: 0, observedGeneration: 1 });
    expect(world.status().labelSelector).toContain('modelserving.volcano.sh/name=ms');
    world.killOperator();
    world.startOperator();
    await world.run(60_000);
    expect(world.log().filter((line) => line.includes('ERROR'))).toEqual([]);
    await world.edit(ms, (live) => ({ ...live, spec: { ...live.spec, replicas: 1 } }));
    await world.until(() => world.pods().length === 2 && rolledOut(world));
    await world.edit(ms, (live) => ({ ...live, spec: { ...live.spec, replicas: 0 } }));
    await world.until(() => world.pods().length === 0 && rolledOut(world));
  });

  it('B125: made again under the same name at once, never counts the Pods of the old one as its own', async () => {
    const world = await aWorld();
    const manifest = groups(2).build();
    const first = await applied(world, manifest);
    const before = Object.values(uids(world));
    await world.remove(first);
    const second = await world.apply(manifest);
    expect(uidOf(second)).not.toBe(uidOf(first));
    await world.until(
      () =>
        world.pods().length === 4 &&
        Object.values(uids(world)).every((uid) => !before.includes(uid)) &&
        rolledOut(world),
    );
    const owners = new Set(world.pods().map((pod) => pod.metadata.ownerReferences?.[0]?.uid));
    expect(owners).toEqual(new Set([uidOf(second)]));
  });
});
