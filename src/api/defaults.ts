import { IntOrPercentError, type IntOrString, resolveIntOrPercent } from '../objects/index.ts';
import { pausedAnnotation } from './labels.ts';
import type {
  ModelServing,
  ModelServingSpec,
  RecoveryPolicy,
  Role,
  RollingUpdateConfiguration,
  RolloutType,
  UpdateMethod,
} from './types.ts';

// What holds where the spec says nothing. The CRD fills in most of it; an object written before a default existed, or
// past an older CRD, has only these. Values no admission lets through fall back in the direction that deletes nothing.

/** Wanted ServingGroups. */
export const effectiveReplicas = (spec: ModelServingSpec): number => Math.max(0, spec.replicas ?? 1);

/** Wanted role instances in each ServingGroup. */
export const effectiveRoleReplicas = (role: Role): number => Math.max(0, role.replicas ?? 1);

export const effectiveSchedulerName = (spec: Pick<ModelServingSpec, 'schedulerName'>): string =>
  spec.schedulerName ?? 'volcano';

export const effectiveRecoveryPolicy = (spec: ModelServingSpec): RecoveryPolicy =>
  spec.recoveryPolicy || 'RoleRecreate';

export const effectiveRolloutType = (spec: ModelServingSpec): RolloutType =>
  spec.rolloutStrategy?.type || 'ServingGroupRollingUpdate';

export const effectiveUpdateMethod = (spec: ModelServingSpec): UpdateMethod =>
  spec.rolloutStrategy?.updateMethod || 'Recreate';

/** Seconds; never below a minute, whatever an older CRD let through. */
export const effectiveProgressDeadlineSeconds = (spec: ModelServingSpec): number =>
  Math.max(60, spec.rolloutStrategy?.progressDeadlineSeconds ?? 1800);

/** Seconds; 0 means at once. */
export const effectiveRestartGracePeriodSeconds = (spec: ModelServingSpec): number =>
  Math.max(0, spec.template.restartGracePeriodSeconds ?? 0);

/** How many ControllerRevisions that are not in use are kept. */
export const effectiveRevisionHistoryLimit = (spec: ModelServingSpec): number =>
  Math.max(0, spec.revisionHistoryLimit ?? 10);

export const isPaused = (modelServing: ModelServing): boolean =>
  modelServing.metadata.annotations?.[pausedAnnotation] === 'true';

/**
 * How many units may be unavailable, resolved against how many are wanted. A percentage rounds down; what resolves to
 * 0 acts as 1, so that no rollout stands still for it, unless surge units can take over (maxSurge above 0).
 */
export const effectiveMaxUnavailable = (knobs: RollingUpdateConfiguration | undefined, total: number): number => {
  const resolved = resolveOr(knobs?.maxUnavailable ?? 1, { total, rounding: 'down', otherwise: 1 });
  return resolved === 0 && effectiveMaxSurge(knobs, total) === 0 ? 1 : resolved;
};

/** How many units may exist beyond those wanted. A percentage rounds up. */
export const effectiveMaxSurge = (knobs: RollingUpdateConfiguration | undefined, total: number): number =>
  resolveOr(knobs?.maxSurge ?? 0, { total, rounding: 'up', otherwise: 0 });

/**
 * How many units, the first in ordinal order, keep their revision. A percentage rounds up; a value that cannot be read
 * protects all of them until somebody corrects it.
 */
export const effectivePartition = (knobs: RollingUpdateConfiguration | undefined, total: number): number =>
  resolveOr(knobs?.partition ?? 0, { total, rounding: 'up', otherwise: total });

interface Resolution {
  readonly total: number;
  readonly rounding: 'up' | 'down';
  readonly otherwise: number;
}

const resolveOr = (value: IntOrString, { total, rounding, otherwise }: Resolution): number => {
  try {
    return resolveIntOrPercent(value, total, rounding);
  } catch (error) {
    if (error instanceof IntOrPercentError) return otherwise;
    throw error;
  }
};
