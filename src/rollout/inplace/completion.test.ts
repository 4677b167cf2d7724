import { describe, expect, it } from 'vitest';
import { aPod } from '../../../test/world/pod-builder.ts';
import type { Pod } from '../../objects/index.ts';
import type { Memory } from '../types.ts';
import { podProgress, settleMs } from './completion.ts';
import type { Marker } from './marker.ts';
import { seePod } from './sightings.ts';

const deadlineMs = 1_800_000;

/** A Pod that went to v2, back to v1 before the kubelet looked: nothing restarted, and nothing proves it but time. */
const reverted = aPod({ graceSeconds: 10 })
  .ready()
  .patched({ c: 'engine:v2' })
  .patched({ c: 'engine:v1' })
  .observed()
  .build();

const marker: Marker = {
  version: 1,
  ownerUID: 'uid-ms',
  podUID: reverted.metadata.uid ?? '',
  unit: 'ms-0',
  source: 'rev1',
  target: 'rev1',
  superseded: ['rev2'],
  attempt: 1,
  phase: 'Patched',
  startedAt: '2026-01-01T00:00:00.000Z',
  patchedAt: '2026-01-01T00:00:00.000Z',
  generation: 3,
  containers: {
    c: {
      from: 'engine:v2',
      to: 'engine:v1',
      baseline: {
        containerID: reverted.status?.containerStatuses?.[0]?.containerID,
        imageID: reverted.status?.containerStatuses?.[0]?.imageID,
        image: 'engine:v1',
      },
    },
  },
};

const version = reverted.metadata.resourceVersion ?? '';

const memoryOf = (pod: Pod, read?: { readonly resourceVersion: string; readonly at: number }): Memory => ({
  sightings: new Map([[pod.metadata.uid ?? '', seePod(undefined, pod, 0)]]),
  reads: new Map(read === undefined ? [] : [[pod.metadata.uid ?? '', read]]),
  refusals: new Map(),
  answers: new Map(),
  phases: undefined,
  eventsSent: new Set(),
  statusPruned: false,
});

const progressAt = (monotonic: number, memory: Memory, pod: Pod = reverted) =>
  podProgress({ pod, marker, memory, time: { wall: Date.parse(marker.startedAt) + monotonic, monotonic }, deadlineMs });

describe('a Pod that has to settle', () => {
  const waitMs = settleMs(reverted, marker, deadlineMs);

  it('waits for containers x grace + 10 s', () => {
    expect(waitMs).toBe(20_000);
    expect(progressAt(5_000, memoryOf(reverted))).toMatchObject({
      complete: false,
      settling: true,
      settlesInMs: 15_000,
    });
  });

  it('is not complete before one read past the cache has shown the very same version', () => {
    expect(progressAt(waitMs, memoryOf(reverted))).toMatchObject({ complete: false, settling: true, settlesInMs: 0 });
    const another = memoryOf(reverted, { resourceVersion: 'another', at: waitMs });
    expect(progressAt(waitMs, another).complete).toBe(false);
    const tooEarly = memoryOf(reverted, { resourceVersion: version, at: waitMs - 1 });
    expect(progressAt(waitMs, tooEarly).complete).toBe(false);
    const confirmed = memoryOf(reverted, { resourceVersion: version, at: waitMs });
    expect(progressAt(waitMs, confirmed).complete).toBe(true);
  });

  it('waits for the deadline and ten minutes where the status names another image', () => {
    const alias = {
      ...reverted,
      status: {
        ...reverted.status,
        containerStatuses: (reverted.status?.containerStatuses ?? []).map((status) => ({
          ...status,
          image: 'docker.io/library/other:1',
        })),
      },
    };
    expect(settleMs(alias, marker, deadlineMs)).toBe(deadlineMs);
    expect(settleMs(alias, marker, 60_000)).toBe(600_000);
  });

  it('is not complete while one of its containers only settles, though the other is proved', () => {
    const before = aPod({ graceSeconds: 10, images: { a: 'a:v1', b: 'b:v1' } }).ready();
    const acting = before.patched({ a: 'a:v2', b: 'b:v2' }).observed();
    const after = acting.restarted({ container: 'a' }).build();
    const ids = (pod: Pod, name: string) =>
      pod.status?.containerStatuses?.find((status) => status.name === name)?.containerID;
    // b was already another one when the generation was first seen: new, but nothing shows since when.
    const baseline = { a: ids(before.build(), 'a'), b: 'containerd://earlier' };
    const two: Marker = {
      ...marker,
      podUID: after.metadata.uid ?? '',
      generation: 2,
      containers: {
        a: { from: 'a:v1', to: 'a:v2', baseline: { containerID: baseline.a } },
        b: { from: 'b:v1', to: 'b:v2', baseline: { containerID: baseline.b } },
      },
    };
    const sighting = seePod(seePod(undefined, acting.build(), 0), after, 1_000);
    const memory: Memory = { ...memoryOf(after), sightings: new Map([[after.metadata.uid ?? '', sighting]]) };
    const progress = podProgress({ pod: after, marker: two, memory, time: { wall: 0, monotonic: 2_000 }, deadlineMs });
    expect([...progress.containers.values()].map(({ state }) => state)).toEqual(['complete', 'settling']);
    expect(progress).toMatchObject({ complete: false, settling: true });
  });

  it('never settles on a container that is not known to run the image', () => {
    const unknown: Marker = {
      ...marker,
      containers: {
        c: {
          from: 'engine:v2',
          to: 'engine:v1',
          baseline: { containerID: marker.containers['c']?.baseline.containerID },
        },
      },
    };
    const memory = memoryOf(reverted, { resourceVersion: version, at: deadlineMs });
    const time = { wall: 0, monotonic: deadlineMs };
    const progress = podProgress({ pod: reverted, marker: unknown, memory, time, deadlineMs });
    expect(progress).toMatchObject({ complete: false, settling: false });
    expect([...progress.containers.values()]).toEqual([{ state: 'stopping' }]);
  });
});
