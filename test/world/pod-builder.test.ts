import { describe, expect, it } from 'vitest';
import { aPod } from './pod-builder.ts';

describe('the Pod builder', () => {
  it('names and labels a Pod as the operator does', () => {
    const pod = aPod({ group: 2, role: 'prefill', instance: 1, index: 3, revision: 'abc' }).build();
    expect(pod.metadata.name).toBe('ms-2-prefill-1-3');
    expect(pod.metadata.labels).toMatchObject({
      'modelserving.volcano.sh/group-name': 'ms-2',
      'modelserving.volcano.sh/role-id': 'prefill-1',
      'modelserving.volcano.sh/revision': 'abc',
    });
    expect(pod.metadata.labels).not.toHaveProperty('modelserving.volcano.sh/entry');
  });

  it('leaves earlier builders as they were', () => {
    const fresh = aPod();
    fresh.ready();
    expect(fresh.build().status).toEqual({ phase: 'Pending' });
  });

  it('follows a Pod through an image change as a kubelet reports it', () => {
    const before = aPod({ image: 'engine:v1' }).ready();
    const patched = before.patched({ c: 'engine:v2' }).build();
    expect([patched.metadata.generation, patched.status?.observedGeneration]).toEqual([2, 1]);
    expect(patched.status?.containerStatuses).toEqual(before.build().status?.containerStatuses);

    const done = before.patched({ c: 'engine:v2' }).observed().restarted().build();
    const [old] = before.build().status?.containerStatuses ?? [];
    const [now] = done.status?.containerStatuses ?? [];
    expect(now).toMatchObject({ image: 'docker.io/library/engine:v2', restartCount: 1, ready: true });
    expect(now?.containerID).not.toBe(old?.containerID);
    expect(now?.lastState?.terminated?.containerID).toBe(old?.containerID);
  });

  it('turns the Pod unready when one of its containers waits', () => {
    const pod = aPod({ images: { a: 'x:1', b: 'y:1' } })
      .ready()
      .waiting('ImagePullBackOff', { container: 'b' })
      .build();
    expect(pod.status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('False');
    expect(pod.status?.containerStatuses?.map(({ ready }) => ready)).toEqual([true, false]);
  });
});
