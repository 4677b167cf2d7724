import type { Condition, IntOrString, ObjectMeta, PodSpec } from '../objects/index.ts';

/** ModelServing v1alpha1 (`workload.serving.volcano.sh`), as of October 2026. */
export interface ModelServing {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: ObjectMeta;
  readonly spec: ModelServingSpec;
  readonly status?: ModelServingStatus | undefined;
}

export interface ModelServingSpec {
  /** Number of ServingGroups. The CRD defaults it to 1. */
  readonly replicas?: number | undefined;
  /** The CRD defaults it to `volcano`. */
  readonly schedulerName?: string | undefined;
  readonly plugins?: readonly PluginSpec[] | undefined;
  readonly template: ServingGroupTemplate;
  readonly rolloutStrategy?: RolloutStrategy | undefined;
  /** The CRD defaults it to RoleRecreate. */
  readonly recoveryPolicy?: RecoveryPolicy | undefined;
  /** How many ControllerRevisions not in use are kept. The CRD defaults it to 10. */
  readonly revisionHistoryLimit?: number | undefined;
}

export type RecoveryPolicy = 'ServingGroupRecreate' | 'RoleRecreate' | 'None';
export type RolloutType = 'ServingGroupRollingUpdate' | 'RoleRollingUpdate';
export type UpdateMethod = 'Recreate' | 'InPlace';

export interface PluginSpec {
  readonly name: string;
  readonly type?: string | undefined;
  readonly config?: unknown;
  readonly scope?: { readonly roles?: readonly string[] | undefined; readonly target?: string | undefined } | undefined;
}

export interface RolloutStrategy {
  readonly type?: RolloutType | undefined;
  /** The CRD defaults it to Recreate (where a rolloutStrategy is given). */
  readonly updateMethod?: UpdateMethod | undefined;
  /** Seconds from an in-place update's first marker, waiting included. At least 60; the controller applies 1800. */
  readonly progressDeadlineSeconds?: number | undefined;
  readonly rollingUpdateConfiguration?: RollingUpdateConfiguration | undefined;
}

export interface RollingUpdateConfiguration {
  readonly maxUnavailable?: IntOrString | undefined;
  readonly maxSurge?: IntOrString | undefined;
  readonly partition?: IntOrString | undefined;
}

export interface ServingGroupTemplate {
  readonly restartGracePeriodSeconds?: number | undefined;
  readonly gangPolicy?: GangPolicy | undefined;
  readonly networkTopology?: NetworkTopology | undefined;
  readonly roles: readonly Role[];
}

export interface GangPolicy {
  readonly minRoleReplicas?: Readonly<Record<string, number>> | undefined;
}

export interface NetworkTopology {
  readonly groupPolicy?: NetworkTopologyPolicy | undefined;
  readonly rolePolicy?: NetworkTopologyPolicy | undefined;
}

export interface NetworkTopologyPolicy {
  readonly mode?: 'hard' | 'soft' | undefined;
  readonly highestTierAllowed?: number | undefined;
  readonly highestTierName?: string | undefined;
}

export interface Role extends RollingUpdateConfiguration {
  readonly name: string;
  readonly replicas?: number | undefined;
  readonly entryTemplate: PodTemplate;
  readonly workerReplicas: number;
  readonly workerTemplate?: PodTemplate | undefined;
}

/** The reduced PodTemplateSpec of the CRD: of metadata only these two maps exist. */
export interface PodTemplate {
  readonly metadata?:
    | {
        readonly labels?: Readonly<Record<string, string>> | undefined;
        readonly annotations?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
  readonly spec?: PodSpec | undefined;
}

export interface ModelServingStatus {
  readonly observedGeneration?: number | undefined;
  readonly replicas?: number | undefined;
  readonly currentReplicas?: number | undefined;
  readonly updatedReplicas?: number | undefined;
  readonly availableReplicas?: number | undefined;
  readonly currentRevision?: string | undefined;
  readonly updateRevision?: string | undefined;
  readonly collisionCount?: number | undefined;
  readonly labelSelector?: string | undefined;
  readonly conditions?: readonly Condition[] | undefined;
  /** Which role instances were once whole, and how many in-place updates each has completed. Ours. */
  readonly units?: readonly UnitRecord[] | undefined;
  /** Which unit ran out of time on which revision. Ours. */
  readonly failures?: readonly FailureRecord[] | undefined;
  /** Role instances that were made again because Pods of them failed soon after they were made. Ours. */
  readonly recreations?: readonly RecreationRecord[] | undefined;
}

/** Groups whose role instances have the same record. `groups` and `instances` are ordinal ranges: `0-3,7`. */
export interface UnitRecord {
  readonly groups: string;
  readonly roles: readonly RoleInstanceRecord[];
}

export interface RoleInstanceRecord {
  readonly name: string;
  readonly instances: string;
  readonly completed: number;
  /** Its deletion was decided: what is left of it is deleted to the end and never filled. */
  readonly leaving?: boolean | undefined;
  /** No Pod of it is left, and it is being made again: it keeps its ordinal, and is not whole yet. */
  readonly filling?: boolean | undefined;
}

/** One role instance in several ServingGroups. `groups` is ordinal ranges: `0-3,7`. */
export interface RecreationRecord {
  readonly groups: string;
  readonly role: string;
  readonly instance: number;
  /** `updateRevision` at that time: an edit of the spec ends the back-off. */
  readonly revision: string;
  /** How often in a row. */
  readonly times: number;
}

export interface FailureRecord {
  readonly group: number;
  readonly role?: string | undefined;
  readonly instance?: number | undefined;
  readonly revision: string;
  /** `startedAt` of the marker that ran out of time, RFC 3339. */
  readonly startedAt: string;
}
