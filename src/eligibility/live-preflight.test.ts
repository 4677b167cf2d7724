import { describe, expect, it } from 'vitest';
import { applyMergePatch, type Pod } from '../objects/index.ts';
import type { RevisionRole } from '../revision/index.ts';
import { livePreflight } from './live-preflight.ts';

const role: RevisionRole = {
  name: 'r',
  workerReplicas: 1,
  entryTemplate: {
    spec: {
      containers: [
        { name: 'c', image: 'app:v2' },
        { name: 'd', image: 'other:v1' },
      ],
    },
  },
  workerTemplate: { spec: { containers: [{ name: 'w', image: 'app:v2' }] } },
};

const live: Pod = {
  metadata: {
    name: 'llm-0-r-0-0',
    ownerReferences: [{ apiVersion: 'v1', kind: 'ModelServing', name: 'llm', uid: 'ms', controller: true }],
  },
  spec: {
    restartPolicy: 'Always',
    containers: [
      { name: 'injected', image: 'proxy:v1', imagePullPolicy: 'Always', restartPolicy: 'Never' },
      { name: 'c', image: 'app:v1', imagePullPolicy: 'IfNotPresent' },
      { name: 'd', image: 'other:v1', imagePullPolicy: 'IfNotPresent' },
    ],
  },
  status: { phase: 'Running' },
};

const withChange = (change: object): Pod => applyMergePatch(live, change) as Pod;
const entry = { role, index: 0, ownerUID: 'ms' };

describe('the look at a live Pod before its patch', () => {
  it('has nothing against a Pod of ours, whatever was injected', () => {
    expect(livePreflight(live, entry)).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['that is terminating', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }, 'pod-terminating'],
    ['that failed', { status: { phase: 'Failed' } }, 'pod-finished'],
    ['that succeeded', { status: { phase: 'Succeeded' } }, 'pod-finished'],
    ['of another owner', { metadata: { ownerReferences: [] } }, 'pod-not-ours'],
    ['that does not restart', { spec: { restartPolicy: 'Never' } }, 'pod-restart-policy'],
    ['without the container', { spec: { containers: [{ name: 'd', image: 'other:v1' }] } }, 'pod-container-missing'],
    [
      'with a policy in the container',
      {
        spec: {
          containers: [
            { name: 'c', image: 'app:v1', imagePullPolicy: 'IfNotPresent', restartPolicy: 'Never' },
            { name: 'd', image: 'other:v1' },
          ],
        },
      },
      'pod-container-restart-policy',
    ],
    [
      'that pulls otherwise than a new one would',
      {
        spec: {
          containers: [
            { name: 'c', image: 'app:v1', imagePullPolicy: 'Always' },
            { name: 'd', image: 'other:v1' },
          ],
        },
      },
      'pod-pull-policy',
    ],
  ])('refuses a Pod %s', (_, change, kind) => {
    const reasons = livePreflight(withChange(change), entry);
    expect(reasons.map((reason) => reason.kind)).toEqual([kind]);
    expect(reasons[0]?.path).toMatch(/^pods\[llm-0-r-0-0\]\./);
    expect(reasons[0]?.message).toMatch(/^Pod llm-0-r-0-0 /);
  });

  it('refuses a Pod that is gone', () => {
    expect(livePreflight(undefined, entry).map(({ kind }) => kind)).toEqual(['pod-gone']);
  });

  it('judges a worker by the worker template', () => {
    const reasons = livePreflight(live, { role, index: 1 });
    expect(reasons.map(({ path, kind }) => [path, kind])).toEqual([
      ['pods[llm-0-r-0-0].spec.containers[w]', 'pod-container-missing'],
    ]);
  });

  it('looks only at the containers it is told to patch', () => {
    const odd = withChange({ spec: { containers: [{ name: 'd', image: 'other:v1', imagePullPolicy: 'Always' }] } });
    expect(livePreflight(odd, { role, index: 0, containers: [] })).toEqual([]);
    expect(livePreflight(odd, { role, index: 0, containers: ['d'] }).map(({ kind }) => kind)).toEqual([
      'pod-pull-policy',
    ]);
  });
});
