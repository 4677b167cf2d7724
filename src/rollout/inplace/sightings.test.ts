import { describe, expect, it } from 'vitest';
import { aPod } from '../../../test/world/pod-builder.ts';
import { seePod, startedAfter } from './sightings.ts';

describe('what this process saw of a Pod', () => {
  it('keeps the moment since which nothing has changed', () => {
    const pod = aPod().ready().observed().build();
    const first = seePod(undefined, pod, 1_000);
    expect(seePod(first, pod, 9_000).since).toBe(1_000);
    expect(seePod(first, aPod().ready().observed().restarted().build(), 9_000).since).toBe(9_000);
    expect(seePod(first, aPod().ready().observed().unready().build(), 9_000).since).toBe(9_000);
  });

  it('proves a container that replaced the one seen at the generation', () => {
    const before = aPod().ready().patched({ c: 'engine:v2' }).observed();
    const sighting = seePod(undefined, before.build(), 0);
    const after = before.restarted();
    const containerID = after.build().status?.containerStatuses?.[0]?.containerID ?? '';
    const seen = seePod(sighting, after.build(), 1);
    expect(startedAfter(seen, 'c', { containerID, generation: 2 })).toBe(true);
  });

  it('proves nothing for a container that was there at first sight of the generation', () => {
    const pod = aPod().ready().patched({ c: 'engine:v2' }).observed().restarted().build();
    const containerID = pod.status?.containerStatuses?.[0]?.containerID ?? '';
    expect(startedAfter(seePod(undefined, pod, 0), 'c', { containerID, generation: 2 })).toBe(false);
    expect(startedAfter(undefined, 'c', { containerID, generation: 2 })).toBe(false);
  });

  it('proves nothing by a change before the generation', () => {
    const old = aPod().ready().observed();
    let sighting = seePod(undefined, old.build(), 0);
    const crashed = old.restarted();
    sighting = seePod(sighting, crashed.build(), 1);
    const patched = crashed.patched({ c: 'engine:v2' }).observed().build();
    sighting = seePod(sighting, patched, 2);
    const containerID = patched.status?.containerStatuses?.[0]?.containerID ?? '';
    expect(startedAfter(sighting, 'c', { containerID, generation: 2 })).toBe(false);
  });
});
