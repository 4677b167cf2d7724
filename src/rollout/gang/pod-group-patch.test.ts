import { describe, expect, it } from 'vitest';
import { volcanoCrd } from '../../../test/support/volcano.ts';
import { requestedQueueAnnotation } from '../../api/index.ts';
import type { Schema } from '../../objects/index.ts';
import type { PodGroup, PodGroupSpec } from './pod-group.ts';
import { podGroupPatch } from './pod-group-patch.ts';

const schema = volcanoCrd('sub-groups').spec.versions[0]?.schema?.openAPIV3Schema as Schema;

const podGroup = (spec: PodGroupSpec, annotations: Readonly<Record<string, string>> = {}): PodGroup => ({
  metadata: { name: 'ms-0', namespace: 'default', uid: 'u', resourceVersion: '7', annotations },
  spec,
});

const specOfPatch = (live: PodGroup, wanted: PodGroup): unknown => {
  const patch = podGroupPatch(live, wanted, schema) as { readonly spec?: unknown } | undefined;
  return patch?.spec;
};

const decode = { name: 'decode', subGroupSize: 2, minSubGroups: 1 };
const prefill = { name: 'prefill', subGroupSize: 2, minSubGroups: 2 };

describe('a PodGroup that means the same', () => {
  it.each<[string, PodGroupSpec, PodGroupSpec]>([
    [
      'amounts in another spelling',
      { minResources: { cpu: '1000m', memory: '1024Mi' } },
      { minResources: { cpu: 1, memory: '1Gi' } },
    ],
    ['no amounts', { minResources: {} }, {}],
    [
      'a default that the server has filled in',
      { networkTopology: { mode: 'hard', highestTierAllowed: 2 } },
      { networkTopology: { highestTierAllowed: 2 } },
    ],
    ['sub-groups in another order', { subGroupPolicy: [decode, prefill] }, { subGroupPolicy: [prefill, decode] }],
    ['no sub-groups', { subGroupPolicy: [] }, {}],
    ['a queue nobody asked for', { queue: 'gold' }, {}],
    ['fields of others', { minMember: 3, ...{ priorityClassName: 'high', minTaskMember: { a: 1 } } }, { minMember: 3 }],
    ['fields of others inside', { subGroupPolicy: [{ ...decode, ...{ note: 'x' } }] }, { subGroupPolicy: [decode] }],
  ])('is not written: %s', (_, live, wanted) => {
    expect(podGroupPatch(podGroup(live), podGroup(wanted), schema)).toBeUndefined();
  });
});

describe('the patch of a PodGroup', () => {
  it('names what differs and nothing else, held to the resourceVersion', () => {
    const live = podGroup({ minMember: 4, queue: 'default', minResources: { cpu: '4', 'nvidia.com/gpu': '4' } });
    const wanted = podGroup({ minMember: 6, minResources: { cpu: '4', memory: '1Gi' } });
    expect(podGroupPatch(live, wanted, schema)).toEqual({
      metadata: { resourceVersion: '7' },
      spec: { minMember: 6, minResources: { memory: '1Gi', 'nvidia.com/gpu': null } },
    });
  });

  it('takes away what is asked for no more', () => {
    const live = podGroup({ networkTopology: { mode: 'hard' }, minResources: { cpu: '1' } });
    expect(specOfPatch(live, podGroup({}))).toEqual({ networkTopology: null, minResources: null });
    const named = podGroup({ networkTopology: { mode: 'soft', highestTierName: 'rack' } });
    expect(specOfPatch(named, podGroup({ networkTopology: { highestTierAllowed: 1 } }))).toEqual({
      networkTopology: { mode: null, highestTierName: null, highestTierAllowed: 1 },
    });
  });

  it('replaces sub-groups as a whole', () => {
    const live = podGroup({ subGroupPolicy: [decode] });
    expect(specOfPatch(live, podGroup({ subGroupPolicy: [prefill] }))).toEqual({ subGroupPolicy: [prefill] });
  });

  it('gives the queue back to the server only where it was asked for and is still that one', () => {
    const asked = { [requestedQueueAnnotation]: 'gold' };
    expect(podGroupPatch(podGroup({ queue: 'gold' }, asked), podGroup({}), schema)).toEqual({
      metadata: { resourceVersion: '7', annotations: { [requestedQueueAnnotation]: null } },
      spec: { queue: null },
    });
    expect(podGroupPatch(podGroup({ queue: 'by-hand' }, asked), podGroup({}), schema)).toEqual({
      metadata: { resourceVersion: '7', annotations: { [requestedQueueAnnotation]: null } },
    });
    expect(specOfPatch(podGroup({ queue: 'gold' }, asked), podGroup({ queue: 'silver' }))).toEqual({ queue: 'silver' });
  });

  it('puts an unreadable amount right', () => {
    const live = podGroup({ minResources: { cpu: 'a lot' } });
    expect(specOfPatch(live, podGroup({ minResources: { cpu: '2' } }))).toEqual({ minResources: { cpu: '2' } });
  });
});
