import { describe, expect, it } from 'vitest';
import { resources } from '../../src/kube/index.ts';
import { aContainer, aPod, conditionOf, isReady, probe, restartsOf, smallCluster, statusOf } from './small-cluster.ts';

describe('a Pod on its way to Ready', () => {
  it('is scheduled, pulled, started, probed, and nothing is left to do', async () => {
    const { machine, create, until, events, pod } = await smallCluster();
    await create(resources.pods, aPod({ containers: [aContainer({ readinessProbe: probe })] }));
    await machine.advance(100);
    expect((await pod()).status).toMatchObject({
      phase: 'Pending',
      containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } }, image: 'engine:v1', imageID: '' }],
    });
    const ready = await until(isReady);
    expect(ready.status).toMatchObject({
      phase: 'Running',
      observedGeneration: 1,
      hostIP: '172.18.0.2',
      podIP: '10.0.0.2',
      containerStatuses: [
        {
          image: 'docker.io/library/engine:v1',
          imageID: expect.stringMatching(/^docker\.io\/library\/engine@sha256:[0-9a-f]{64}$/),
          containerID: expect.stringMatching(/^containerd:\/\/[0-9a-f]{64}$/),
          ready: true,
          started: true,
          restartCount: 0,
        },
      ],
    });
    expect(ready.status?.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      'PodReadyToStartContainers=True',
      'Initialized=True',
      'Ready=True',
      'ContainersReady=True',
      'PodScheduled=True',
    ]);
    expect(await events()).toEqual([
      'Scheduled Successfully assigned default/p to n1',
      'Pulling Pulling image "engine:v1"',
      'Pulled Successfully pulled image "engine:v1" in 200ms (200ms including waiting).',
      'Created Created container: c',
      'Started Started container c',
    ]);
    await machine.advance(10_000);
    expect(machine.pending()).toBe(0);
  });

  it('is Ready as soon as it runs where it has no readiness probe', async () => {
    const { create, until, seconds } = await smallCluster();
    await create(resources.pods, aPod());
    await until(isReady);
    expect(seconds()).toBeLessThan(1.2);
  });

  it('waits for its readiness gates, which others set', async () => {
    const { create, until, client, wait, machine, pod } = await smallCluster();
    await create(resources.pods, aPod({ readinessGates: [{ conditionType: 'example.com/traffic' }] }));
    const waiting = await until((seen) => conditionOf(seen, 'ContainersReady') === 'True');
    expect(waiting.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'False',
      reason: 'ReadinessGatesNotReady',
      message: 'corresponding condition of pod readiness gate "example.com/traffic" does not exist.',
    });
    const body = { status: { conditions: [{ type: 'example.com/traffic', status: 'True' }] } };
    const ref = { namespace: 'default', name: 'p' };
    await wait(client.patch(resources.pods, ref, { type: 'strategic', body }, { subresource: 'status' }));
    await machine.advance(2000);
    expect(isReady(await pod())).toBe(true);
    expect(conditionOf(await pod(), 'example.com/traffic')).toBe('True');
  });

  it('tells no observedGeneration where its kubelet is an old one', async () => {
    const { create, until } = await smallCluster({ nodes: [{ name: 'n1', reportsObservedGeneration: false }] });
    await create(resources.pods, aPod());
    const ready = await until(isReady);
    expect(ready.status).not.toHaveProperty('observedGeneration');
    expect(ready.status?.conditions?.[0]).not.toHaveProperty('observedGeneration');
  });
});

describe('a Pod that ends by itself', () => {
  const job = { exitsAfterMs: 2000 };

  it('has Succeeded once all containers ended well and none starts again', async () => {
    const { create, until } = await smallCluster({ images: { 'engine:v1': job } });
    await create(resources.pods, aPod({ restartPolicy: 'OnFailure' }));
    const over = await until((pod) => pod.status?.phase === 'Succeeded');
    expect(over.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'False',
      reason: 'PodCompleted',
    });
  });

  it('has Failed where it may not start again, and stays as it is when its image changes', async () => {
    const { create, until, setImage, machine, pod } = await smallCluster({
      images: { 'engine:v1': { ...job, exitCode: 4 } },
    });
    await create(resources.pods, aPod({ restartPolicy: 'Never' }));
    const over = await until((seen) => seen.status?.phase === 'Failed');
    expect(statusOf(over).state?.terminated).toMatchObject({ exitCode: 4, reason: 'Error' });
    await setImage('engine:v2');
    await machine.advance(20_000);
    expect(statusOf(await pod()).containerID).toBe(statusOf(over).containerID);
    expect((await pod()).status?.phase).toBe('Failed');
  });

  it('starts again after a failure where the policy says so', async () => {
    const { create, until } = await smallCluster({ images: { 'engine:v1': { ...job, exitCode: 4 } } });
    await create(resources.pods, aPod({ restartPolicy: 'OnFailure' }));
    const again = await until((pod) => restartsOf(pod) === 1);
    expect(again.status?.phase).toBe('Running');
    expect(statusOf(again).lastState?.terminated?.exitCode).toBe(4);
  });
});

describe('a Pod with a deadline', () => {
  it('has Failed when it is over, and the deadline can be brought forward', async () => {
    const { create, until, client, wait, machine, pod } = await smallCluster();
    await create(resources.pods, aPod({ activeDeadlineSeconds: 60 }));
    await machine.advance(50_000);
    expect(isReady(await pod())).toBe(true);
    const patch = { type: 'merge', body: { spec: { activeDeadlineSeconds: 30 } } } as const;
    await wait(client.patch(resources.pods, { namespace: 'default', name: 'p' }, patch));
    const failed = await until((seen) => seen.status?.phase === 'Failed');
    expect(failed.status?.reason).toBe('DeadlineExceeded');
    expect(machine.clock.monotonic()).toBeLessThan(53_000);
  });
});

describe('the deletion of a Pod', () => {
  const ref = { namespace: 'default', name: 'p' };

  it('stops its containers within the grace period, shows a last state, and then the Pod is gone', async () => {
    const { create, until, client, wait, machine, pod, events, untilGone } = await smallCluster({
      images: { 'engine:v1': { ignoresTerm: true } },
    });
    await create(resources.pods, aPod({ terminationGracePeriodSeconds: 5 }));
    await until(isReady);
    const before = machine.clock.monotonic();
    await wait(client.delete(resources.pods, ref));
    await machine.advance(4900);
    expect((await pod()).status?.phase).toBe('Running');
    await untilGone();
    expect(machine.clock.monotonic() - before).toBeLessThan(6500);
    expect(await events()).toContain('Killing Stopping container c');
    await machine.advance(1000);
    expect(machine.pending()).toBe(0);
  });

  it('ends a Pod in a final phase before it goes', async () => {
    const { create, until, client, wait, untilGone, cluster } = await smallCluster();
    await create(resources.pods, aPod());
    await until(isReady);
    await wait(client.delete(resources.pods, ref));
    await untilGone();
    const phases = cluster.ledger
      .filter((entry) => entry.resource === 'pods' && entry.subresource === 'status')
      .map((entry) => (entry.object as { status?: { phase?: string } }).status?.phase);
    expect(phases.at(-1)).toBe('Succeeded');
  });

  it('can be made shorter while it is under way', async () => {
    const { create, until, client, wait, machine, untilGone } = await smallCluster({
      images: { 'engine:v1': { ignoresTerm: true } },
    });
    await create(resources.pods, aPod({ terminationGracePeriodSeconds: 600 }));
    await until(isReady);
    await wait(client.delete(resources.pods, ref));
    await machine.advance(2000);
    await wait(client.delete(resources.pods, ref, { gracePeriodSeconds: 3 }));
    const before = machine.clock.monotonic();
    await untilGone();
    expect(machine.clock.monotonic() - before).toBeLessThan(5000);
  });

  it('does not wait for a pull', async () => {
    const { create, client, wait, machine, untilGone } = await smallCluster({
      images: { 'engine:v1': { pullMs: 3_600_000 } },
    });
    await create(resources.pods, aPod());
    await machine.advance(5000);
    await wait(client.delete(resources.pods, ref));
    const before = machine.clock.monotonic();
    await untilGone();
    expect(machine.clock.monotonic() - before).toBeLessThan(2000);
    expect(machine.pending()).toBe(0);
  });

  it('leaves nothing running when the Pod is removed at once', async () => {
    const { create, until, client, wait, machine, cluster } = await smallCluster();
    await create(resources.pods, aPod());
    const pod = await until(isReady);
    await wait(client.delete(resources.pods, ref, { gracePeriodSeconds: 0 }));
    await machine.advance(3000);
    expect(cluster.nodes.truth(pod, 'c')).toBeUndefined();
    expect(machine.pending()).toBe(0);
  });

  it('makes room for another Pod of the same name at once', async () => {
    const { create, until, client, wait } = await smallCluster();
    const first = await create(resources.pods, aPod());
    await until(isReady);
    await wait(client.delete(resources.pods, ref, { gracePeriodSeconds: 0 }));
    await create(resources.pods, aPod());
    const second = await until(isReady);
    expect(second.metadata.uid).not.toBe(first.metadata.uid);
  });
});
