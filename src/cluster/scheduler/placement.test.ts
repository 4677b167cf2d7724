import { describe, expect, it } from 'vitest';
import type { Container, Node, NodeSpec, Pod, PodSpec } from '../../objects/index.ts';
import { amountsOf, demandOf, shortages } from './demand.ts';
import { place } from './placement.ts';
import { createUsage } from './usage.ts';

const pod = (spec: Partial<PodSpec> = {}): Pod => ({
  metadata: { name: 'p', uid: 'u' },
  spec: { containers: [{ name: 'c' }], ...spec },
});
const asks = (name: string, requests: Record<string, string>, more: Partial<Container> = {}): Container => ({
  name,
  resources: { requests },
  ...more,
});
const node = (name: string, spec: NodeSpec = {}, allocatable: Record<string, string> = {}): Node => ({
  metadata: { name },
  spec,
  status: { allocatable: { pods: '10', cpu: '4', ...allocatable } },
});
const plain = (amounts: ReturnType<typeof demandOf>): Record<string, number> =>
  Object.fromEntries([...amounts].map(([name, { nano }]) => [name, Number(nano) / 1e9]));

describe('what a Pod asks for', () => {
  it('is the sum of its containers and sidecars, or its largest init container', () => {
    const containers = [asks('a', { cpu: '500m', memory: '1Gi' }), asks('b', { cpu: '1' })];
    const sidecar = asks('s', { cpu: '250m' }, { restartPolicy: 'Always' });
    const big = asks('i', { memory: '4Gi' });
    expect(plain(demandOf(pod({ containers, initContainers: [sidecar, big] })))).toEqual({
      cpu: 1.75,
      memory: 4 * 2 ** 30,
      pods: 1,
    });
  });

  it('is the limit where there is no request', () => {
    const limited: Container = {
      name: 'a',
      resources: { limits: { cpu: '2', 'nvidia.com/gpu': '8' }, requests: { cpu: '1' } },
    };
    expect(plain(demandOf(pod({ containers: [limited] })))).toEqual({ cpu: 1, 'nvidia.com/gpu': 8, pods: 1 });
  });

  it('does not fit where anything of it is short', () => {
    const allocatable = amountsOf({ cpu: '4', pods: '1' });
    const demand = demandOf(pod({ containers: [asks('a', { cpu: '3', 'nvidia.com/gpu': '1' })] }));
    expect(shortages({ allocatable, used: amountsOf({ cpu: '1' }) }, demand)).toEqual(['nvidia.com/gpu']);
    expect(shortages({ allocatable, used: amountsOf({ cpu: '2', pods: '1' }) }, demand)).toEqual([
      'cpu',
      'nvidia.com/gpu',
      'pods',
    ]);
    expect(shortages({ allocatable, used: amountsOf({}) }, demandOf(pod()))).toEqual([]);
  });
});

describe('usage', () => {
  it('is what its Pods take, whoever comes, moves and goes', () => {
    const usage = createUsage();
    const demand = amountsOf({ cpu: '1' });
    usage.put('u', { node: 'a', demand });
    usage.put('v', { node: 'a', demand });
    usage.put('u', { node: 'b', demand });
    usage.remove('unknown');
    expect([usage.of('a').pods, plain(usage.of('a').amounts)]).toEqual([1, { cpu: 1 }]);
    usage.remove('v');
    expect([usage.of('a').pods, plain(usage.of('a').amounts)]).toEqual([0, { cpu: 0 }]);
    expect([usage.nodeOf('u'), usage.nodeOf('v')]).toEqual(['b', undefined]);
  });
});

describe('the place of a Pod', () => {
  const used = createUsage().of('none');
  const among = (of: Pod, ...nodes: readonly Node[]) =>
    place(
      of,
      demandOf(of),
      nodes.map((one) => ({ node: one, used })),
    );

  it('is the first by name of the nodes with the fewest Pods', () => {
    expect(among(pod(), node('b'), node('a'))).toEqual({ outcome: 'placed', node: 'a' });
    const busy = { node: node('a'), used: { amounts: new Map(), pods: 1 } };
    expect(place(pod(), demandOf(pod()), [busy, { node: node('b'), used }])).toMatchObject({ node: 'b' });
  });

  it('is refused in the words of kube-scheduler', () => {
    const taint = { key: 'team', value: 'x', effect: 'NoSchedule' as const };
    const refused = among(
      pod({ containers: [asks('a', { cpu: '8' })], nodeSelector: { zone: 'z' } }),
      node('a', { unschedulable: true }),
      node('b', { taints: [taint] }),
      node('c'),
      { ...node('d'), metadata: { name: 'd', labels: { zone: 'z' } } },
      { ...node('e'), metadata: { name: 'e', labels: { zone: 'z' } } },
    );
    expect(refused).toEqual({
      outcome: 'unschedulable',
      message:
        "0/5 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint {team: x}, 1 node(s) were unschedulable, 2 Insufficient cpu.",
    });
    expect(among(pod())).toEqual({ outcome: 'unschedulable', message: 'no nodes available to schedule pods' });
  });
});
