import { describe, expect, it } from 'vitest';
import { resources } from '../../src/kube/index.ts';
import {
  aContainer,
  aPod,
  conditionOf,
  isReady,
  probe,
  restartsOf,
  smallCluster,
  statusOf,
  waitingReason,
} from './small-cluster.ts';

describe('a container that crashes', () => {
  it('is started again at once, then later and later, up to every five minutes', async () => {
    const { create, machine, cluster } = await smallCluster({
      images: { 'engine:v1': { exitsAfterMs: 100, exitCode: 2 } },
    });
    await create(resources.pods, aPod());
    await machine.advance(30 * 60_000);
    const starts = cluster.ledger.filter((entry) => {
      const event = entry.object as { reason?: string };
      return entry.resource === 'events' && event.reason === 'Started';
    });
    const gaps = starts.slice(1).map((entry, i) => (entry.atMs - (starts[i]?.atMs ?? 0)) / 1000);
    expect(gaps[0]).toBeLessThan(2);
    expect(gaps.slice(1, 6).every((gap, i) => gap >= 10 * 2 ** i && gap <= 10 * 2 ** i + 16)).toBe(true);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(316);
  });

  it('shows why it waits, and how the last one ended', async () => {
    const { create, until, events } = await smallCluster({
      images: { 'engine:v1': { exitsAfterMs: 100, exitCode: 2 } },
    });
    const { metadata } = await create(resources.pods, aPod());
    const pod = await until((seen) => waitingReason(seen) === 'CrashLoopBackOff');
    expect(pod.status?.phase).toBe('Running');
    expect(statusOf(pod)).toMatchObject({
      ready: false,
      started: false,
      state: { waiting: { message: `back-off 10s restarting failed container=c pod=p_default(${metadata.uid})` } },
      lastState: { terminated: { exitCode: 2, reason: 'Error', containerID: statusOf(pod).containerID } },
    });
    expect(await events()).toContain(
      `BackOff Back-off restarting failed container c in pod p_default(${metadata.uid})`,
    );
  });

  it('starts at once with another image, as that one has no back-off yet', async () => {
    const { create, until, setImage, machine, pod } = await smallCluster({
      images: { 'engine:v1': { exitsAfterMs: 100, exitCode: 2 } },
    });
    await create(resources.pods, aPod());
    await until((seen) => restartsOf(seen) === 4 && waitingReason(seen) === 'CrashLoopBackOff');
    await setImage('engine:v2');
    await machine.advance(2500);
    expect(isReady(await pod())).toBe(true);
    expect(restartsOf(await pod())).toBe(5);
  });

  it('has its back-off forgotten once it ran for ten minutes', async () => {
    const { create, until, cluster, machine, pod } = await smallCluster();
    await create(resources.pods, aPod());
    const live = await until(isReady);
    for (let i = 1; i <= 3; i++) {
      cluster.nodes.kill(live, 'c', { code: 1 });
      await until((seen) => restartsOf(seen) === i);
    }
    await machine.advance(11 * 60_000);
    cluster.nodes.kill(live, 'c', { code: 1 });
    await machine.advance(2500);
    expect(restartsOf(await pod())).toBe(4);
  });
});

describe('probes', () => {
  it('keep a container out of traffic until it is ready, with the delay and period of the probe', async () => {
    const slow = { ...probe, initialDelaySeconds: 10, periodSeconds: 5 };
    const { create, until, seconds } = await smallCluster({ images: { 'engine:v1': { readyAfterMs: 12_000 } } });
    await create(resources.pods, aPod({ containers: [aContainer({ readinessProbe: slow })] }));
    await until(isReady);
    expect(seconds()).toBeGreaterThan(12.3);
    expect(seconds()).toBeLessThan(18);
  });

  it('never make Ready what never is, and cost nothing while they wait', async () => {
    const { create, machine, pod, events } = await smallCluster({ images: { 'engine:v1': { neverReady: true } } });
    await create(resources.pods, aPod({ containers: [aContainer({ readinessProbe: probe })] }));
    await machine.advance(60_000);
    expect(isReady(await pod())).toBe(false);
    expect(await events()).toContain('Unhealthy Readiness probe failed: HTTP probe failed with statuscode: 503');
    expect(machine.pending()).toBe(0);
  });

  it('take a container out of traffic after as many failures as the threshold says', async () => {
    const { create, until, machine, cluster, pod } = await smallCluster();
    await create(resources.pods, aPod({ containers: [aContainer({ readinessProbe: probe })] }));
    const live = await until(isReady);
    cluster.nodes.setReady(live, 'c', false);
    await machine.advance(1900);
    expect(isReady(await pod())).toBe(true);
    await machine.advance(2000);
    expect(isReady(await pod())).toBe(false);
    cluster.nodes.setReady(live, 'c', undefined);
    await machine.advance(1500);
    expect(isReady(await pod())).toBe(true);
    expect(restartsOf(await pod())).toBe(0);
  });

  it('of liveness restart a container that hangs', async () => {
    const { create, until, events } = await smallCluster({ images: { 'engine:v1': { hangsAfterMs: 20_000 } } });
    const liveness = { ...probe, failureThreshold: 2 };
    await create(resources.pods, aPod({ containers: [aContainer({ livenessProbe: liveness })] }));
    await until((pod) => restartsOf(pod) === 1);
    expect(await events()).toContain('Killing Container c failed liveness probe, will be restarted');
  });

  it('of startup give a slow container its time, and only then ask for readiness', async () => {
    const startup = { ...probe, failureThreshold: 60 };
    const { create, until, seconds, machine, pod } = await smallCluster({
      images: { 'engine:v1': { readyAfterMs: 30_000 } },
    });
    const container = aContainer({ startupProbe: startup, readinessProbe: probe, livenessProbe: probe });
    await create(resources.pods, aPod({ containers: [container] }));
    await machine.advance(20_000);
    expect(statusOf(await pod())).toMatchObject({ started: false, ready: false, restartCount: 0 });
    await until(isReady);
    expect(seconds()).toBeLessThan(34);
    await machine.advance(10_000);
    expect(machine.pending()).toBe(0);
  });

  it('of startup restart a container that takes too long', async () => {
    const startup = { ...probe, failureThreshold: 5 };
    const { create, until, events } = await smallCluster({ images: { 'engine:v1': { readyAfterMs: 600_000 } } });
    await create(resources.pods, aPod({ containers: [aContainer({ startupProbe: startup })] }));
    await until((pod) => restartsOf(pod) === 1);
    expect(await events()).toContain('Killing Container c failed startup probe, will be restarted');
  });
});

describe('init containers', () => {
  const init = (name: string, image: string) => ({ name, image });

  it('run one after the other before the others, and once', async () => {
    const { create, until, machine, pod, setImage } = await smallCluster();
    await create(resources.pods, aPod({ initContainers: [init('one', 'prepare:1'), init('two', 'prepare:2')] }));
    await machine.advance(900);
    expect(conditionOf(await pod(), 'Initialized')).toBe('False');
    const ready = await until(isReady);
    const ends = ['one', 'two'].map((name) => statusOf(ready, name).state?.terminated?.exitCode);
    expect(ends).toEqual([0, 0]);
    await setImage('engine:v2');
    const patched = await until((seen) => isReady(seen) && restartsOf(seen) === 1);
    expect(statusOf(patched, 'one').containerID).toBe(statusOf(ready, 'one').containerID);
  });

  it('hold the others up while they fail', async () => {
    const { create, machine, pod, cluster, until } = await smallCluster({
      images: { 'prepare:1': { exitsAfterMs: 50, exitCode: 1 } },
    });
    await create(resources.pods, aPod({ initContainers: [init('one', 'prepare:1')] }));
    await machine.advance(60_000);
    expect((await pod()).status?.phase).toBe('Pending');
    expect(statusOf(await pod())).toMatchObject({ state: { waiting: { reason: 'PodInitializing' } } });
    cluster.setImage('prepare:1', {});
    await until(isReady);
  });

  it('fail the Pod where it never restarts', async () => {
    const { create, until } = await smallCluster({ images: { 'prepare:1': { exitsAfterMs: 50, exitCode: 1 } } });
    await create(resources.pods, aPod({ restartPolicy: 'Never', initContainers: [init('one', 'prepare:1')] }));
    await until((pod) => pod.status?.phase === 'Failed');
  });
});

describe('sidecars', () => {
  const sidecar = { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' };

  it('start before the others and keep running beside them', async () => {
    const { create, until, cluster } = await smallCluster();
    await create(resources.pods, aPod({ initContainers: [sidecar] }));
    const pod = await until(isReady);
    expect(statusOf(pod, 'proxy').state?.running).toBeDefined();
    cluster.nodes.kill(pod, 'proxy', { code: 1 });
    const healed = await until((seen) => statusOf(seen, 'proxy').restartCount === 1 && isReady(seen));
    expect(statusOf(healed).restartCount).toBe(0);
  });

  it('let the others start only once their startup probe has passed', async () => {
    const { create, until, machine, pod } = await smallCluster({ images: { 'proxy:1': { readyAfterMs: 5000 } } });
    await create(
      resources.pods,
      aPod({ initContainers: [{ ...sidecar, startupProbe: { ...probe, failureThreshold: 30 } }] }),
    );
    await machine.advance(4500);
    expect(statusOf(await pod()).containerID).toBeUndefined();
    await until(isReady);
  });

  it('are replaced when their image changes, and the others run on', async () => {
    const { create, until, client, wait } = await smallCluster();
    await create(resources.pods, aPod({ initContainers: [sidecar] }));
    const before = await until(isReady);
    const body = { spec: { initContainers: [{ name: 'proxy', image: 'proxy:2' }] } };
    await wait(client.patch(resources.pods, { namespace: 'default', name: 'p' }, { type: 'strategic', body }));
    const after = await until((pod) => statusOf(pod, 'proxy').image.endsWith('proxy:2') && isReady(pod));
    expect(statusOf(after).containerID).toBe(statusOf(before).containerID);
  });

  it('do not keep a finished Pod alive', async () => {
    const { create, until, cluster } = await smallCluster({ images: { 'engine:v1': { exitsAfterMs: 3000 } } });
    await create(resources.pods, aPod({ restartPolicy: 'Never', initContainers: [sidecar] }));
    const pod = await until((seen) => seen.status?.phase === 'Succeeded');
    expect(cluster.nodes.truth(pod, 'proxy')?.running).toBe(false);
  });
});

describe('a change of images', () => {
  it('stops the containers one after the other, each with its whole grace, before the first one starts', async () => {
    const images = { 'engine:v1': { ignoresTerm: true } };
    const { create, until, client, wait, machine, pod } = await smallCluster({ images });
    const containers = [aContainer({ name: 'a' }), aContainer({ name: 'b' })];
    await create(resources.pods, aPod({ containers, terminationGracePeriodSeconds: 4 }));
    await until(isReady);
    const body = { spec: { containers: ['a', 'b'].map((name) => ({ name, image: 'engine:v2' })) } };
    await wait(client.patch(resources.pods, { namespace: 'default', name: 'p' }, { type: 'strategic', body }));
    const before = machine.clock.monotonic();
    await machine.advance(7900);
    expect(restartsOf(await pod(), 'a') + restartsOf(await pod(), 'b')).toBe(0);
    await until((seen) => restartsOf(seen, 'a') === 1 && restartsOf(seen, 'b') === 1 && isReady(seen));
    expect(machine.clock.monotonic() - before).toBeLessThan(10_500);
  });

  it('replaces a running container whatever the restart policy', async () => {
    const { create, until, setImage } = await smallCluster();
    await create(resources.pods, aPod({ restartPolicy: 'Never' }));
    await until(isReady);
    await setImage('engine:v2');
    const pod = await until((seen) => restartsOf(seen) === 1 && isReady(seen));
    expect(statusOf(pod).image).toBe('docker.io/library/engine:v2');
  });

  it('lets a preStop hook sleep before TERM', async () => {
    const hook = { preStop: { sleep: { seconds: 6 } } };
    const { create, until, setImage, machine } = await smallCluster();
    await create(resources.pods, aPod({ containers: [aContainer({ lifecycle: hook })] }));
    await until(isReady);
    await setImage('engine:v2');
    const before = machine.clock.monotonic();
    await until((seen) => restartsOf(seen) === 1);
    expect(machine.clock.monotonic() - before).toBeGreaterThan(6000);
  });

  it('keeps the address of the Pod', async () => {
    const { create, until, setImage } = await smallCluster();
    await create(resources.pods, aPod());
    const before = await until(isReady);
    await setImage('engine:v2');
    const after = await until((seen) => restartsOf(seen) === 1 && isReady(seen));
    expect(after.status?.podIP).toBe(before.status?.podIP);
  });
});
