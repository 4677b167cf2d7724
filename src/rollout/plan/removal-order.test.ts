import { describe, expect, it } from 'vitest';
import { aPod, type PodBuilder } from '../../../test/world/pod-builder.ts';
import { viewPod } from '../observe/pod-view.ts';
import { type RemovalCandidate, removalOrder } from './removal-order.ts';

const candidate = (ordinal: number, change: (pod: PodBuilder) => PodBuilder = (pod) => pod): RemovalCandidate => {
  const pod = change(aPod({ group: ordinal }).ready()).build();
  return { ordinal, pods: [viewPod(pod, { group: ordinal, role: 'r', instance: 0, index: 0 }, 'uid-ms')] };
};

const costing = (cost: string) => (pod: PodBuilder) =>
  pod.annotation('controller.kubernetes.io/pod-deletion-cost', cost);

describe('who goes first when scaling down', () => {
  it('the highest ordinal, all else being equal', () => {
    expect(removalOrder([candidate(0), candidate(1), candidate(2)], 0)).toEqual([2, 1, 0]);
  });

  it('what is on its way out already, whatever its ordinal', () => {
    expect(removalOrder([candidate(0, (pod) => pod.terminating()), candidate(1), candidate(2)], 0)[0]).toBe(0);
  });

  it('what is not Ready before what is', () => {
    expect(removalOrder([candidate(0), candidate(1, (pod) => pod.unready()), candidate(2)], 0)).toEqual([1, 2, 0]);
  });

  it('the cheaper before the dearer; a cost that is no integer is 0', () => {
    const candidates = [candidate(0, costing('-5')), candidate(1, costing('a lot')), candidate(2, costing('7'))];
    expect(removalOrder(candidates, 0)).toEqual([0, 1, 2]);
  });

  it('a protected one last, even if it is not Ready', () => {
    expect(removalOrder([candidate(0, (pod) => pod.unready()), candidate(1), candidate(2)], 1)).toEqual([2, 1, 0]);
  });
});
