import { describe, expect, it } from 'vitest';
import {
  effectiveMaxSurge,
  effectiveMaxUnavailable,
  effectivePartition,
  effectiveProgressDeadlineSeconds,
  effectiveRecoveryPolicy,
  effectiveReplicas,
  effectiveRestartGracePeriodSeconds,
  effectiveRevisionHistoryLimit,
  effectiveRoleReplicas,
  effectiveRolloutType,
  effectiveSchedulerName,
  effectiveUpdateMethod,
  isPaused,
} from './defaults.ts';
import type { ModelServingSpec } from './types.ts';

const bare: ModelServingSpec = { template: { roles: [] } };

describe('a spec that says nothing', () => {
  it.each([
    ['replicas', effectiveReplicas, 1],
    ['schedulerName', effectiveSchedulerName, 'volcano'],
    ['recoveryPolicy', effectiveRecoveryPolicy, 'RoleRecreate'],
    ['type', effectiveRolloutType, 'ServingGroupRollingUpdate'],
    ['updateMethod', effectiveUpdateMethod, 'Recreate'],
    ['progressDeadlineSeconds', effectiveProgressDeadlineSeconds, 1800],
    ['restartGracePeriodSeconds', effectiveRestartGracePeriodSeconds, 0],
    ['revisionHistoryLimit', effectiveRevisionHistoryLimit, 10],
  ])('means %s', (_, effective, expected) => {
    expect(effective(bare)).toBe(expected);
  });

  it('means one unavailable unit, no surge, no partition', () => {
    expect(effectiveMaxUnavailable(undefined, 4)).toBe(1);
    expect(effectiveMaxSurge(undefined, 4)).toBe(0);
    expect(effectivePartition(undefined, 4)).toBe(0);
  });
});

describe('a deadline', () => {
  it('is never shorter than a minute', () => {
    expect(effectiveProgressDeadlineSeconds({ ...bare, rolloutStrategy: { progressDeadlineSeconds: 5 } })).toBe(60);
    expect(effectiveProgressDeadlineSeconds({ ...bare, rolloutStrategy: { progressDeadlineSeconds: 90 } })).toBe(90);
  });
});

describe('counts', () => {
  it('are never negative', () => {
    expect(effectiveReplicas({ ...bare, replicas: -2 })).toBe(0);
    expect(effectiveRoleReplicas({ name: 'r', replicas: 0, workerReplicas: 0, entryTemplate: {} })).toBe(0);
    expect(effectiveRestartGracePeriodSeconds({ template: { roles: [], restartGracePeriodSeconds: -1 } })).toBe(0);
  });
});

describe('percentages', () => {
  it('round down for maxUnavailable, up for maxSurge and partition', () => {
    const knobs = { maxUnavailable: '50%', maxSurge: '50%', partition: '50%' };
    expect(effectiveMaxUnavailable(knobs, 3)).toBe(1);
    expect(effectiveMaxSurge(knobs, 3)).toBe(2);
    expect(effectivePartition(knobs, 3)).toBe(2);
  });

  it('never let a rollout stand still: 0 unavailable acts as 1, unless surge units take over', () => {
    expect(effectiveMaxUnavailable({ maxUnavailable: '10%' }, 3)).toBe(1);
    expect(effectiveMaxUnavailable({ maxUnavailable: 0 }, 3)).toBe(1);
    expect(effectiveMaxUnavailable({ maxUnavailable: 0, maxSurge: 1 }, 3)).toBe(0);
  });

  it('that cannot be read delete nothing', () => {
    const knobs = { maxUnavailable: 'abc%', maxSurge: 'x', partition: 'abc%' };
    expect(effectiveMaxUnavailable(knobs, 3)).toBe(1);
    expect(effectiveMaxSurge(knobs, 3)).toBe(0);
    expect(effectivePartition(knobs, 3)).toBe(3);
  });
});

describe('pause', () => {
  it('is the word true and nothing else', () => {
    const paused = (value: string): boolean =>
      isPaused({ metadata: { annotations: { 'modelserving.volcano.sh/paused': value } }, spec: bare });
    expect(paused('true')).toBe(true);
    expect(paused('yes')).toBe(false);
    expect(isPaused({ metadata: {}, spec: bare })).toBe(false);
  });
});
