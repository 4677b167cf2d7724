import { describe, expect, it } from 'vitest';
import type { KubeObject, ObjectMeta, OwnerReference } from '../../objects/index.ts';
import { judge, type Verdict } from './garbage-verdict.ts';
import { createOwnershipGraph, type GraphNode } from './ownership-graph.ts';

const node = (uid: string, owners: readonly string[] = [], metadata: Partial<ObjectMeta> = {}): GraphNode => ({
  object: {
    metadata: {
      name: uid,
      uid,
      ownerReferences: owners.map((owner): OwnerReference => {
        const blocking = owner.endsWith('!');
        const name = owner.replace('!', '');
        return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: name, blockOwnerDeletion: blocking };
      }),
      ...metadata,
    },
  } satisfies KubeObject,
  resource: { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true },
});

const going = (finalizer?: string): Partial<ObjectMeta> => ({
  deletionTimestamp: '2026-01-01T00:00:00Z',
  ...(finalizer === undefined ? {} : { finalizers: [finalizer] }),
});

/** The verdict on the first of these objects. */
const verdict = (...nodes: readonly [GraphNode, ...GraphNode[]]): Verdict => {
  const graph = createOwnershipGraph();
  for (const one of nodes) graph.put(one);
  return judge(nodes[0], graph, () => true);
};

describe('the garbage collector decides', () => {
  it('nothing about what has no owner, or one that lives', () => {
    expect(verdict(node('a'))).toEqual({ do: 'nothing' });
    expect(verdict(node('a', ['b']), node('b'))).toEqual({ do: 'nothing' });
  });

  it('nothing about an owner that is going in the background: it is still there', () => {
    expect(verdict(node('a', ['b']), node('b', [], going('example.com/x')))).toEqual({ do: 'nothing' });
  });

  it('to delete what has only absent owners, as its own finalizers want it', () => {
    expect(verdict(node('a', ['gone']))).toEqual({ do: 'delete', policy: 'Background' });
    expect(verdict(node('a', ['gone'], { finalizers: ['orphan'] }))).toEqual({ do: 'delete', policy: 'Orphan' });
  });

  it('to take dead references out where another owner lives', () => {
    expect(verdict(node('a', ['gone', 'b']), node('b'))).toEqual({ do: 'release', from: ['gone'] });
  });

  it('to delete what blocks an owner, its own dependents first', () => {
    const owner = node('b', [], going('foregroundDeletion'));
    expect(verdict(node('a', ['b!']), owner)).toEqual({ do: 'delete', policy: 'Background' });
    expect(verdict(node('a', ['b!']), owner, node('c', ['a']))).toEqual({ do: 'delete', policy: 'Foreground' });
  });

  it('to let an owner wait for what blocks it, and for nothing else', () => {
    const owner = node('b', [], going('foregroundDeletion'));
    expect(verdict(owner, node('a', ['b!']))).toMatchObject({ do: 'wait-for' });
    expect(verdict(owner, node('a', ['b']))).toEqual({ do: 'unblock', finalizer: 'foregroundDeletion' });
  });

  it('to free the dependents of an owner that orphans them, and then let it go', () => {
    const owner = node('b', [], going('orphan'));
    expect(verdict(owner, node('a', ['b']))).toMatchObject({ do: 'orphan' });
    expect(verdict(owner)).toEqual({ do: 'unblock', finalizer: 'orphan' });
  });

  it('nothing more about what is going already', () => {
    expect(verdict(node('a', ['gone'], going('example.com/x')))).toEqual({ do: 'nothing' });
  });
});
