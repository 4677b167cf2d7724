import { describe, expect, it } from 'vitest';
import { resources } from '../../src/kube/index.ts';
import { aContainer, aPod, conditionOf, isReady, probe, restartsOf, smallCluster, statusOf } from './small-cluster.ts';

const ref = { namespace: 'default', name: 'p' };

describe('a container that is killed from outside', () => {
  it('is noticed within a second and started again, with the reason on record', async () => {
    const { create, until, cluster, machine, pod } = await smallCluster();
    await create(resources.pods, aPod());
    const live = await until(isReady);
    cluster.nodes.kill(live, 'c', { code: 137, reason: 'OOMKilled' });
    expect(cluster.nodes.truth(live, 'c')?.running).toBe(false);
    await machine.advance(1100);
    expect(isReady(await pod())).toBe(false);
    const again = await until((seen) => restartsOf(seen) === 1 && isReady(seen));
    expect(statusOf(again).lastState?.terminated).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
  });
});

describe('the truth about a container', () => {
  it('is what runs, while the status still tells of the one before', async () => {
    const { create, until, setImage, cluster, machine, pod } = await smallCluster();
    await create(resources.pods, aPod());
    const before = await until(isReady);
    await machine.advance(2500);
    await setImage('engine:v2');
    await machine.advance(300);
    expect(cluster.nodes.truth(before, 'c')).toMatchObject({ image: 'engine:v2', running: true });
    expect(statusOf(await pod()).containerID).toBe(statusOf(before).containerID);
  });

  it('is unknown of a Pod that never started', async () => {
    const { create, cluster } = await smallCluster({ nodes: [] });
    expect(cluster.nodes.truth(await create(resources.pods, aPod()), 'c')).toBeUndefined();
  });
});

describe('a paused kubelet', () => {
  it('reports nothing and replaces nothing until it resumes, while its containers run on', async () => {
    const { create, until, setImage, cluster, machine, pod } = await smallCluster();
    await create(resources.pods, aPod());
    const before = await until(isReady);
    cluster.nodes.pause('n1');
    await setImage('engine:v2');
    await machine.advance(600_000);
    expect((await pod()).status).toEqual(before.status);
    expect(cluster.nodes.truth(before, 'c')).toMatchObject({ image: 'engine:v1', running: true });
    cluster.nodes.resume('n1');
    await until((seen) => restartsOf(seen) === 1 && isReady(seen));
  });

  it('does not see a container die, and finds it dead when it resumes', async () => {
    const { create, until, cluster, machine, pod } = await smallCluster();
    await create(resources.pods, aPod());
    const before = await until(isReady);
    cluster.nodes.pause('n1');
    cluster.nodes.kill(before, 'c', { code: 1 });
    await machine.advance(60_000);
    expect(isReady(await pod())).toBe(true);
    cluster.nodes.resume('n1');
    await until((seen) => restartsOf(seen) === 1 && isReady(seen));
  });

  it('leaves a deleted Pod terminating for as long as it is paused', async () => {
    const { create, until, cluster, machine, pod, client, wait, untilGone } = await smallCluster();
    await create(resources.pods, aPod());
    await until(isReady);
    cluster.nodes.pause('n1');
    await wait(client.delete(resources.pods, ref));
    await machine.advance(3_600_000);
    expect((await pod()).metadata.deletionTimestamp).toBeDefined();
    cluster.nodes.resume('n1');
    await untilGone();
  });

  it('in the middle of a kill goes on with it later', async () => {
    const { create, until, setImage, cluster, machine, pod } = await smallCluster({
      images: { 'engine:v1': { ignoresTerm: true } },
    });
    await create(resources.pods, aPod({ terminationGracePeriodSeconds: 5 }));
    const before = await until(isReady);
    await setImage('engine:v2');
    await machine.advance(1000);
    cluster.nodes.pause('n1');
    await machine.advance(60_000);
    expect(cluster.nodes.truth(before, 'c')).toMatchObject({ image: 'engine:v1', running: false });
    expect(statusOf(await pod()).state?.running).toBeDefined();
    cluster.nodes.resume('n1');
    await until((seen) => restartsOf(seen) === 1 && isReady(seen));
  });
});

describe('statuses', () => {
  it('that come late leave out what was in between, and may come after a newer spec', async () => {
    const { create, until, setImage, machine, pod } = await smallCluster({
      nodes: [{ name: 'n1', statusDelayMs: 10_000 }],
    });
    await create(resources.pods, aPod());
    const before = statusOf(await until(isReady));
    await setImage('engine:v2');
    await machine.advance(3_000);
    await setImage('engine:v3');
    await machine.advance(7_500);
    const late = await pod();
    expect([late.metadata.generation, late.status?.observedGeneration]).toEqual([3, 3]);
    expect(late.spec.containers[0]?.image).toBe('engine:v3');
    expect(statusOf(late).containerID).not.toBe(before.containerID);
    await until((seen) => statusOf(seen).image.endsWith(':v3'));
  });

  it('of a muted node are lost, but for the newest', async () => {
    const { create, until, cluster, machine, pod } = await smallCluster();
    await create(resources.pods, aPod());
    const live = await until(isReady);
    cluster.nodes.mute('n1', true);
    cluster.nodes.kill(live, 'c', { code: 1 });
    await machine.advance(5_000);
    expect((await pod()).status).toEqual(live.status);
    cluster.nodes.mute('n1', false);
    await machine.advance(0);
    expect(restartsOf(await pod())).toBe(1);
    expect(isReady(await pod())).toBe(true);
  });
});

describe('a container that the runtime loses', () => {
  it('has empty IDs and one restart more until it is started, and then fewer than before', async () => {
    const { create, until, cluster } = await smallCluster({ images: { 'engine:v2': { pullMs: 5_000 } } });
    await create(resources.pods, aPod());
    const first = await until(isReady);
    cluster.nodes.kill(first, 'c', { code: 1 });
    const live = await until((pod) => restartsOf(pod) === 1 && isReady(pod));
    cluster.nodes.lose(live, 'c');
    const lost = await until((pod) => !isReady(pod));
    expect(statusOf(lost)).toMatchObject({ image: 'engine:v1', imageID: '', ready: false });
    expect(statusOf(lost)).not.toHaveProperty('containerID');
    const back = await until(isReady);
    expect(restartsOf(back)).toBe(0);
  });
});

describe('a kubelet that starts anew', () => {
  it('takes over what runs, and is not sure of readiness for a moment', async () => {
    const { create, until, cluster, machine, pod } = await smallCluster();
    await create(resources.pods, aPod({ containers: [aContainer({ readinessProbe: probe })] }));
    const before = await until(isReady);
    await machine.advance(5_000);
    cluster.nodes.restartKubelet('n1');
    await machine.advance(5_000);
    expect(statusOf(await pod())).toEqual(statusOf(before));
    expect(isReady(await pod())).toBe(true);
  });

  it('removes what runs of Pods that are gone by then', async () => {
    const { create, until, cluster, machine, client, wait } = await smallCluster();
    await create(resources.pods, aPod());
    const pod = await until(isReady);
    cluster.nodes.pause('n1');
    await wait(client.delete(resources.pods, ref, { gracePeriodSeconds: 0 }));
    await machine.advance(1_000);
    cluster.nodes.restartKubelet('n1');
    expect(cluster.nodes.truth(pod, 'c')?.running).toBe(true);
    cluster.nodes.resume('n1');
    await machine.advance(5_000);
    expect(cluster.nodes.truth(pod, 'c')).toBeUndefined();
    expect(machine.pending()).toBe(0);
  });

  it('forgets its back-offs', async () => {
    const { create, until, cluster, machine, pod } = await smallCluster({
      images: { 'engine:v1': { exitsAfterMs: 100, exitCode: 1 } },
    });
    await create(resources.pods, aPod());
    await until((seen) => restartsOf(seen) === 4);
    await machine.advance(5_000);
    cluster.nodes.restartKubelet('n1');
    await machine.advance(2_500);
    expect(restartsOf(await pod())).toBe(5);
  });
});

describe('a node that reboots', () => {
  it('starts its Pods anew: same UID, new containers, another address', async () => {
    const { create, until, cluster } = await smallCluster();
    await create(resources.pods, aPod());
    const before = await until(isReady);
    cluster.nodes.reboot('n1');
    const after = await until((pod) => restartsOf(pod) === 1 && isReady(pod));
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(statusOf(after).containerID).not.toBe(statusOf(before).containerID);
    expect(after.status?.podIP).not.toBe(before.status?.podIP);
    expect(statusOf(after).lastState?.terminated).toMatchObject({ exitCode: 255, reason: 'Unknown' });
  });
});

describe('logs', () => {
  it('are those of the container that runs, or of the one before', async () => {
    const { create, until, cluster, setImage, client, wait } = await smallCluster({
      images: { 'engine:v1': { log: ['loading', 'serving'] }, 'engine:v2': { log: ['serving faster'] } },
    });
    await create(resources.pods, aPod());
    const live = await until(isReady);
    expect(cluster.nodes.logs(live, 'c')).toEqual(['loading', 'serving']);
    await setImage('engine:v2');
    await until((pod) => restartsOf(pod) === 1);
    expect(cluster.nodes.logs(live, 'c')).toEqual(['serving faster']);
    expect(cluster.nodes.logs(live, 'c', { previous: true })).toEqual(['loading', 'serving']);
    expect(await wait(client.raw('/api/v1/namespaces/default/pods/p/log'))).toBe('serving faster\n');
  });
});

describe('an eviction by the kubelet', () => {
  it('leaves a Failed Pod behind that says why', async () => {
    const { create, until, cluster, machine, events, pod } = await smallCluster();
    await create(resources.pods, aPod());
    cluster.nodes.evict(await until(isReady), 'The node was low on resource: memory.');
    const failed = await until((seen) => seen.status?.phase === 'Failed');
    expect(failed.status).toMatchObject({ reason: 'Evicted', message: 'The node was low on resource: memory.' });
    expect(isReady(failed)).toBe(false);
    expect(await events()).toContain('Evicted The node was low on resource: memory.');
    await machine.advance(60_000);
    expect((await pod()).status?.phase).toBe('Failed');
    expect(machine.pending()).toBe(0);
  });
});

describe('a status that somebody else writes over', () => {
  it('is put right by the kubelet within ten seconds, and theirs stays', async () => {
    const { create, until, client, wait, machine, pod } = await smallCluster();
    await create(resources.pods, aPod());
    await until(isReady);
    const conditions = [
      { type: 'Ready', status: 'False' },
      { type: 'example.com/mine', status: 'True' },
    ];
    const patch = { type: 'strategic', body: { status: { conditions } } } as const;
    await wait(client.patch(resources.pods, ref, patch, { subresource: 'status' }));
    await machine.advance(9_000);
    expect(isReady(await pod())).toBe(false);
    await machine.advance(2_000);
    expect(isReady(await pod())).toBe(true);
    expect(conditionOf(await pod(), 'example.com/mine')).toBe('True');
  });
});

describe('a cluster without Pod events', () => {
  it('writes none', async () => {
    const { create, until, cluster } = await smallCluster({ podEvents: false });
    await create(resources.pods, aPod());
    await until(isReady);
    expect(cluster.ledger.filter((entry) => entry.resource === 'events')).toEqual([]);
  });
});
