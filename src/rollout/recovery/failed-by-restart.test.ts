import { describe, expect, it } from 'vitest';
import { aPod } from '../../../test/world/pod-builder.ts';
import type { Pod } from '../../objects/index.ts';
import { failedByRestart } from './failed-by-restart.ts';

const restartedAt = (pod: Pod, startedAt: string, readyLostAt: string): Pod => ({
  ...pod,
  status: {
    ...pod.status,
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: readyLostAt }],
    containerStatuses: (pod.status?.containerStatuses ?? []).map((status) => ({
      ...status,
      ready: false,
      restartCount: 3,
      state: { running: { startedAt } },
    })),
  },
});

describe('a Pod has failed by restarting', () => {
  it('never while it is Ready, however often it restarted', () => {
    expect(failedByRestart(aPod().ready().restarted().restarted().build())).toBeUndefined();
  });

  it('not when it lost readiness by its probe alone, long after a restart', () => {
    const pod = restartedAt(aPod().ready().build(), '2026-01-01T00:00:10Z', '2026-01-01T01:00:00Z');
    expect(failedByRestart(pod)).toBeUndefined();
  });

  it('when it was restarted after readiness was lost', () => {
    const pod = restartedAt(aPod().ready().build(), '2026-01-01T01:00:05Z', '2026-01-01T01:00:00Z');
    expect(failedByRestart(pod)).toBe('container c restarted 3 times');
  });

  it('when kill and start share one sync, so that the start shows three seconds earlier', () => {
    const pod = restartedAt(aPod().ready().build(), '2026-01-01T00:59:57Z', '2026-01-01T01:00:00Z');
    expect(failedByRestart(pod)).toBe('container c restarted 3 times');
    const earlier = restartedAt(aPod().ready().build(), '2026-01-01T00:59:56Z', '2026-01-01T01:00:00Z');
    expect(failedByRestart(earlier)).toBeUndefined();
  });

  it('when a container waits after having run', () => {
    const pod = aPod().ready().restarted({ exitCode: 3 }).waiting('CrashLoopBackOff').build();
    expect(failedByRestart(pod)).toBe('container c waits (CrashLoopBackOff) after exit 3');
  });

  it('not while its first image is being pulled', () => {
    expect(failedByRestart(aPod().running().waiting('ImagePullBackOff').build())).toBeUndefined();
  });
});
