import { describe, expect, it } from 'vitest';
import { recordedByKthena } from '../../test/support/recorded.ts';
import { parsePodName } from '../api/index.ts';
import { nameOf, type Pod } from '../objects/index.ts';
import { lwsStandardLabels } from './lws-standard-labels.ts';

const { modelServing, pods } = recordedByKthena('lws');
const configured = lwsStandardLabels.configure(undefined);

const labelled = (pod: Pod, owner = modelServing): Pod => {
  const identity = parsePodName(nameOf(modelServing), nameOf(pod));
  if (identity === undefined || configured.state === 'refused') throw new Error('not one of its Pods');
  return configured.change(pod, { ...identity, modelServing: owner });
};

describe('lws-standard-labels', () => {
  it('gives Pods the very labels that kthena gave them', () => {
    for (const pod of pods) {
      const labels = Object.entries(pod.metadata.labels ?? {});
      const bare = Object.fromEntries(labels.filter(([key]) => !key.startsWith('leaderworkerset')));
      expect(Object.keys(bare).length).toBeLessThan(labels.length);
      const again = labelled({ ...pod, metadata: { ...pod.metadata, labels: bare } });
      expect(again.metadata.labels).toEqual(pod.metadata.labels);
    }
  });

  it('does nothing where no LeaderWorkerSet owns the ModelServing', () => {
    const [pod] = pods;
    if (pod === undefined) throw new Error('no Pod was recorded');
    const free = { ...modelServing, metadata: { ...modelServing.metadata, ownerReferences: [] } };
    expect(labelled(pod, free)).toBe(pod);
  });
});
