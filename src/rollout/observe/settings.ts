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
  effectiveUpdateMethod,
  isPaused,
  type ModelServing,
  type RecoveryPolicy,
  type RollingUpdateConfiguration,
  type RolloutType,
  type UpdateMethod,
} from '../../api/index.ts';
import { IntOrPercentError, type IntOrString, resolveIntOrPercent } from '../../objects/index.ts';

/** The spec's knobs with defaults applied and percentages resolved; nothing here is part of a revision. */
export interface Settings {
  /** Wanted ServingGroups. */
  readonly replicas: number;
  readonly recoveryPolicy: RecoveryPolicy;
  readonly type: RolloutType;
  readonly updateMethod: UpdateMethod;
  readonly deadlineMs: number;
  readonly restartGraceMs: number;
  readonly paused: boolean;
  readonly revisionHistoryLimit: number;
  /** Budget of the ServingGroups. Not used under RoleRollingUpdate, where each Role has its own. */
  readonly groups: PoolSettings;
  /** By Role name; used under RoleRollingUpdate. */
  readonly roles: ReadonlyMap<string, PoolSettings>;
}

/** How many units of a pool are wanted, may be unavailable, may exist beyond those wanted, and are protected. */
export interface PoolSettings {
  readonly replicas: number;
  /** At least 1, unless surge units can take over. */
  readonly maxUnavailable: number;
  readonly maxSurge: number;
  readonly partition: number;
  /** Why the partition cannot be read, with the path of its field; it protects every unit then. */
  readonly partitionProblem?: string | undefined;
}

export const readSettings = (ms: ModelServing): Settings => {
  const { spec } = ms;
  const type = effectiveRolloutType(spec);
  const byRole = type === 'RoleRollingUpdate';
  const knobs = spec.rolloutStrategy?.rollingUpdateConfiguration;
  return {
    replicas: effectiveReplicas(spec),
    recoveryPolicy: effectiveRecoveryPolicy(spec),
    type,
    updateMethod: effectiveUpdateMethod(spec),
    deadlineMs: effectiveProgressDeadlineSeconds(spec) * 1000,
    restartGraceMs: effectiveRestartGracePeriodSeconds(spec) * 1000,
    paused: isPaused(ms),
    revisionHistoryLimit: effectiveRevisionHistoryLimit(spec),
    groups: poolSettings(byRole ? undefined : knobs, {
      replicas: effectiveReplicas(spec),
      path: 'spec.rolloutStrategy.rollingUpdateConfiguration',
    }),
    roles: new Map(
      spec.template.roles.map((role, index) => [
        role.name,
        poolSettings(role, { replicas: effectiveRoleReplicas(role), path: `spec.template.roles[${index}]` }),
      ]),
    ),
  };
};

const poolSettings = (
  knobs: RollingUpdateConfiguration | undefined,
  { replicas, path }: { readonly replicas: number; readonly path: string },
): PoolSettings => ({
  replicas,
  maxUnavailable: effectiveMaxUnavailable(knobs, replicas),
  maxSurge: effectiveMaxSurge(knobs, replicas),
  partition: effectivePartition(knobs, replicas),
  partitionProblem: problemOf(`${path}.partition`, knobs?.partition),
});

const problemOf = (path: string, value: IntOrString | undefined): string | undefined => {
  try {
    resolveIntOrPercent(value ?? 0, 0, 'up');
    return undefined;
  } catch (error) {
    if (error instanceof IntOrPercentError) return `${path}: ${error.message}`;
    throw error;
  }
};

/** The budget of the pool that a unit belongs to. A Role that the spec no longer has is updated one by one. */
export const poolOf = (
  settings: Settings,
  unit: { readonly roleInstance: { readonly role: string } | undefined },
): PoolSettings =>
  unit.roleInstance === undefined
    ? settings.groups
    : (settings.roles.get(unit.roleInstance.role) ?? { replicas: 1, maxUnavailable: 1, maxSurge: 0, partition: 0 });
