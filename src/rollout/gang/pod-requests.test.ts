import { describe, expect, it } from 'vitest';
import type { PodTemplate } from '../../api/index.ts';
import { podRequests, sumAmounts, timesAmounts, writeAmounts } from './pod-requests.ts';

type Resources = { readonly requests?: Record<string, string>; readonly limits?: Record<string, string> };

const template = (...resources: readonly Resources[]): PodTemplate => ({
  spec: {
    containers: resources.map((it, index) => ({ name: `c${index}`, image: 'engine:v1', resources: it })),
    initContainers: [{ name: 'init', image: 'init:v1', resources: { requests: { cpu: '64' } } }],
  },
});

const requested = (...resources: readonly Resources[]): unknown => writeAmounts(podRequests(template(...resources)));

describe('what a Pod requests', () => {
  it('is the sum over its containers, without init containers', () => {
    expect(requested({ requests: { cpu: '500m' } }, { requests: { cpu: '1', memory: '1Gi' } })).toEqual({
      cpu: '1500m',
      memory: '1Gi',
    });
  });

  it('takes a limit for a request where no request is given', () => {
    expect(requested({ requests: { cpu: '1' }, limits: { cpu: '2', 'nvidia.com/gpu': '8' } })).toEqual({
      cpu: '1',
      'nvidia.com/gpu': '8',
    });
  });

  it('is nothing where nothing is said, and leaves out what is no amount', () => {
    expect(requested({})).toBeUndefined();
    expect(podRequests(undefined).size).toBe(0);
    expect(requested({ requests: { cpu: '1e2.5', memory: '1Gi' } })).toEqual({ memory: '1Gi' });
  });

  it('adds up exactly, in the unit it is written in', () => {
    const one = podRequests(template({ requests: { memory: '4096Mi', cpu: '100m' } }));
    expect(writeAmounts(sumAmounts([one, timesAmounts(one, 3)]))).toEqual({ cpu: '400m', memory: '16Gi' });
  });
});
