import { describe, expect, it } from 'vitest';
import { aLeaderWorkerSet, templateOf } from '../../test/support/leader-worker-sets.ts';
import type { ModelServing } from '../api/index.ts';
import { applyMergePatch } from '../objects/index.ts';
import { decideLws } from './decide-lws.ts';
import { desiredModelServing } from './desired-model-serving.ts';
import type { LeaderWorkerSet } from './leader-worker-set.ts';

const stored = (lws: LeaderWorkerSet): LeaderWorkerSet => ({
  ...lws,
  metadata: { ...lws.metadata, uid: 'lws-uid', resourceVersion: '5' },
});

const lws = stored(aLeaderWorkerSet());

/** As the API server keeps it: with defaults of the CRD written out. */
const made = (change: (spec: ModelServing['spec']) => ModelServing['spec'] = (spec) => spec): ModelServing => {
  const { metadata, spec } = desiredModelServing(lws);
  const roles = spec.template.roles.map((role) => ({ ...role, maxUnavailable: 1 }));
  return {
    metadata: { ...metadata, uid: 'ms-uid', resourceVersion: '9', generation: 1 },
    spec: change({
      ...spec,
      schedulerName: 'volcano',
      recoveryPolicy: 'RoleRecreate',
      template: { restartGracePeriodSeconds: 0, roles },
    }),
  };
};

const writeFor = (modelServing: ModelServing | undefined, of = lws) =>
  decideLws({ leaderWorkerSet: of, modelServing }).write;

describe('what to do for a LeaderWorkerSet', () => {
  it('is to create its ModelServing, and nothing while that means what is asked for', () => {
    expect(writeFor(undefined)).toMatchObject({ kind: 'create', object: { metadata: { name: 'lws' } } });
    expect(writeFor(made())).toBeUndefined();
  });

  it('is to patch what it owns and leave the rest', () => {
    const bigger = stored(aLeaderWorkerSet({ replicas: 4 }, { size: 2, workerTemplate: templateOf('engine:v2') }));
    const live = made((spec) => ({ ...spec, plugins: [...(spec.plugins ?? []), { name: 'demo-pod-tweaks' }] }));
    const write = writeFor(live, bigger);
    if (write?.kind !== 'patch') throw new Error('no patch');
    expect(write.body).toMatchObject({ metadata: { resourceVersion: '9' } });
    const { spec } = applyMergePatch(live, write.body) as ModelServing;
    expect(spec).toMatchObject({ replicas: 4, schedulerName: 'volcano', plugins: live.spec.plugins });
    expect(spec.template.roles).toMatchObject([{ name: 'default', workerReplicas: 1, maxUnavailable: 1 }]);
    expect(writeFor({ ...live, spec }, bigger)).toBeUndefined();
  });

  it('is nothing for one that is going, or whose ModelServing is', () => {
    const going = { deletionTimestamp: '2026-10-01T00:00:00Z' };
    expect(writeFor(undefined, { ...lws, metadata: { ...lws.metadata, ...going } })).toBeUndefined();
    const leaving = made((spec) => ({ ...spec, replicas: 9 }));
    expect(writeFor({ ...leaving, metadata: { ...leaving.metadata, ...going } })).toBeUndefined();
  });

  it('is to tell the status once the ModelServing has seen its spec, and only where it differs', () => {
    const status = { replicas: 2, availableReplicas: 1, updatedReplicas: 2, observedGeneration: 0 };
    expect(writeFor({ ...made(), status })).toBeUndefined();
    const write = writeFor({ ...made(), status: { ...status, observedGeneration: 1 } });
    if (write?.kind !== 'status') throw new Error('no status');
    expect(write.body).toMatchObject({ status: { replicas: 2, readyReplicas: 1, updatedReplicas: 2 } });
    const told = applyMergePatch(lws, write.body) as LeaderWorkerSet;
    expect(writeFor({ ...made(), status: { ...status, observedGeneration: 1 } }, told)).toBeUndefined();
  });
});
