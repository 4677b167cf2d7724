import { describe, expect, it } from 'vitest';
import { resources } from '../../src/kube/index.ts';
import { aContainer, aPod, conditionOf, isReady, smallCluster } from './small-cluster.ts';

const gpus = (count: number) => aContainer({ resources: { requests: { 'nvidia.com/gpu': String(count) } } });

describe('the scheduler', () => {
  it('spreads Pods over nodes, whatever scheduler they name', async () => {
    const { create, until, machine } = await smallCluster({ nodes: [{ name: 'a' }, { name: 'b' }] });
    for (const name of ['p0', 'p1', 'p2', 'p3']) {
      await create(resources.pods, aPod({ schedulerName: name === 'p3' ? 'volcano' : 'default-scheduler' }, name));
    }
    await machine.advance(100);
    const nodes = [];
    for (const name of ['p0', 'p1', 'p2', 'p3']) nodes.push((await until(() => true, name)).spec.nodeName);
    expect(nodes.toSorted()).toEqual(['a', 'a', 'b', 'b']);
  });

  it('says why a Pod fits nowhere, and binds it when there is room, without a timer in between', async () => {
    const { create, until, machine, client, wait, events, cluster } = await smallCluster({
      nodes: [{ name: 'a', maxPods: 1 }],
    });
    await create(resources.pods, aPod({}, 'first'));
    await until(isReady, 'first');
    await create(resources.pods, aPod());
    const waiting = await until((pod) => conditionOf(pod, 'PodScheduled') === 'False');
    expect(waiting.status?.conditions).toMatchObject([
      { reason: 'Unschedulable', message: '0/1 nodes are available: 1 Too many pods.' },
    ]);
    expect(await events()).toEqual(['FailedScheduling 0/1 nodes are available: 1 Too many pods.']);
    await machine.advance(60_000);
    expect(machine.pending()).toBe(0);
    await wait(client.delete(resources.pods, { namespace: 'default', name: 'first' }));
    await until(isReady);
    await create(resources.pods, aPod({}, 'third'));
    await machine.advance(1000);
    await wait(cluster.nodes.add({ name: 'b' }));
    expect((await until(isReady, 'third')).spec.nodeName).toBe('b');
  });

  it('counts requested resources, and those of Pods it has just placed', async () => {
    const { create, machine, until } = await smallCluster({
      nodes: [{ name: 'a', resources: { 'nvidia.com/gpu': '8' } }, { name: 'b' }],
    });
    for (const name of ['p0', 'p1', 'p2']) await create(resources.pods, aPod({ containers: [gpus(4)] }, name));
    await machine.advance(3000);
    const pods = [];
    for (const name of ['p0', 'p1', 'p2']) pods.push(await until(() => true, name));
    expect(pods.map((pod) => pod.spec.nodeName ?? '-').toSorted()).toEqual(['-', 'a', 'a']);
    const condition = pods.find((pod) => pod.spec.nodeName === undefined)?.status?.conditions?.[0];
    expect(condition?.message).toBe('0/2 nodes are available: 2 Insufficient nvidia.com/gpu.');
  });

  it('respects node selectors, affinity, taints and cordons', async () => {
    const { create, machine, until, client, wait } = await smallCluster({
      nodes: [
        { name: 'plain' },
        { name: 'fast', labels: { disk: 'ssd' } },
        { name: 'kept', taints: [{ key: 'team', value: 'x', effect: 'NoSchedule' }] },
      ],
    });
    await create(resources.pods, aPod({ nodeSelector: { disk: 'ssd' } }, 'selects'));
    const term = { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In' as const, values: ['plain'] }] };
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } };
    await create(resources.pods, aPod({ affinity: { nodeAffinity } }, 'likes'));
    await create(resources.pods, aPod({ nodeSelector: { 'kubernetes.io/hostname': 'kept' } }, 'refused'));
    const tolerations = [{ key: 'team', operator: 'Exists' as const }];
    await create(
      resources.pods,
      aPod({ tolerations, nodeSelector: { 'kubernetes.io/hostname': 'kept' } }, 'tolerates'),
    );
    await machine.advance(500);
    const nodeOf = async (name: string) => (await until(() => true, name)).spec.nodeName;
    expect(await nodeOf('selects')).toBe('fast');
    expect(await nodeOf('likes')).toBe('plain');
    expect(await nodeOf('refused')).toBeUndefined();
    expect(await nodeOf('tolerates')).toBe('kept');
    const cordon = { type: 'merge', body: { spec: { unschedulable: true } } } as const;
    await wait(client.patch(resources.nodes, { name: 'fast' }, cordon));
    await create(resources.pods, aPod({ nodeSelector: { disk: 'ssd' } }, 'late'));
    await machine.advance(500);
    expect(await nodeOf('late')).toBeUndefined();
  });

  it('leaves alone a Pod with scheduling gates until they are gone', async () => {
    const { create, machine, until, client, wait } = await smallCluster();
    await create(resources.pods, aPod({ schedulingGates: [{ name: 'example.com/quota' }] }));
    await machine.advance(1000);
    expect((await until(() => true)).spec.nodeName).toBeUndefined();
    const body = { spec: { schedulingGates: null } };
    await wait(client.patch(resources.pods, { namespace: 'default', name: 'p' }, { type: 'merge', body }));
    await until(isReady);
  });
});
