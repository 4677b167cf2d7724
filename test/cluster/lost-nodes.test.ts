import { describe, expect, it } from 'vitest';
import { resources } from '../../src/kube/index.ts';
import { aPod, conditionOf, isReady, smallCluster } from './small-cluster.ts';

const nodeReady = { nodeHeartbeats: true, nodes: [{ name: 'n1' }, { name: 'n2' }] };

describe('a node that is heard of no more', () => {
  it('is found lost after 40 s: unreachable, its Pods not Ready, and both well again when it is back', async () => {
    const { create, until, cluster, machine, pod, find } = await smallCluster({
      ...nodeReady,
      nodes: [{ name: 'n1' }],
    });
    await create(resources.pods, aPod());
    await until(isReady);
    cluster.nodes.pause('n1');
    await machine.advance(29_000);
    expect(isReady(await pod())).toBe(true);
    await machine.advance(12_000);
    expect(isReady(await pod())).toBe(false);
    const lost = await find(resources.nodes, 'n1');
    expect(lost?.status?.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
    });
    expect(lost?.spec.taints?.map(({ key, effect }) => `${key}:${effect}`)).toEqual([
      'node.kubernetes.io/unreachable:NoSchedule',
      'node.kubernetes.io/unreachable:NoExecute',
    ]);
    cluster.nodes.resume('n1');
    await machine.advance(21_000);
    expect(isReady(await pod())).toBe(true);
    const back = await find(resources.nodes, 'n1');
    expect(back?.spec.taints).toBeUndefined();
    expect(back?.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
  });

  it('has its Pods deleted after five minutes; they stay terminating until it is back', async () => {
    const { create, until, cluster, machine, pod, untilGone } = await smallCluster(nodeReady);
    await create(resources.pods, aPod());
    const node = (await until(isReady)).spec.nodeName ?? '';
    cluster.nodes.pause(node);
    await machine.advance(330_000);
    expect((await pod()).metadata.deletionTimestamp).toBeUndefined();
    await machine.advance(15_000);
    expect((await pod()).metadata.deletionTimestamp).toBeDefined();
    expect(conditionOf(await pod(), 'DisruptionTarget')).toBe('True');
    await machine.advance(3_600_000);
    expect((await pod()).metadata.deletionTimestamp).toBeDefined();
    cluster.nodes.resume(node);
    await untilGone();
  });

  it('is not noticed where nodes renew no leases', async () => {
    const { create, until, cluster, machine, pod } = await smallCluster();
    await create(resources.pods, aPod());
    await until(isReady);
    cluster.nodes.pause('n1');
    await machine.advance(3_600_000);
    expect(isReady(await pod())).toBe(true);
  });
});

describe('a NoExecute taint', () => {
  const taint = (key: string) =>
    ({ type: 'merge', body: { spec: { taints: [{ key, effect: 'NoExecute' }] } } }) as const;

  it('drives out at once what does not tolerate it, and later what tolerates it for a time', async () => {
    const { create, until, client, wait, machine, find } = await smallCluster();
    const tolerations = [{ key: 'upkeep', operator: 'Exists' as const, tolerationSeconds: 60 }];
    await create(resources.pods, aPod());
    await create(resources.pods, aPod({ tolerations }, 'patient'));
    await create(resources.pods, aPod({ tolerations: [{ operator: 'Exists' }] }, 'stays'));
    await until(isReady, 'stays');
    await wait(client.patch(resources.nodes, { name: 'n1' }, taint('upkeep')));
    await machine.advance(3_000);
    expect(await find(resources.pods, 'p')).toBeUndefined();
    await machine.advance(50_000);
    expect((await find(resources.pods, 'patient'))?.metadata.deletionTimestamp).toBeUndefined();
    await machine.advance(10_000);
    expect(await find(resources.pods, 'patient')).toBeUndefined();
    await machine.advance(600_000);
    expect(await find(resources.pods, 'stays')).toBeDefined();
    expect(machine.pending()).toBe(0);
  });

  it('that is taken back in time drives nobody out', async () => {
    const { create, until, client, wait, machine, pod } = await smallCluster();
    await create(resources.pods, aPod({ tolerations: [{ operator: 'Exists', tolerationSeconds: 60 }] }));
    await until(isReady);
    await wait(client.patch(resources.nodes, { name: 'n1' }, taint('upkeep')));
    await machine.advance(50_000);
    await wait(client.patch(resources.nodes, { name: 'n1' }, { type: 'merge', body: { spec: { taints: null } } }));
    await machine.advance(600_000);
    expect((await pod()).metadata.deletionTimestamp).toBeUndefined();
    expect(machine.pending()).toBe(0);
  });
});
