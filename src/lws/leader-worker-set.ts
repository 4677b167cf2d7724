import type { PodTemplate } from '../api/index.ts';
import type { Condition, KubeObject } from '../objects/index.ts';

/** LeaderWorkerSet (`leaderworkerset.x-k8s.io/v1`), as far as the adapter reads it. */
export interface LeaderWorkerSet extends KubeObject {
  readonly spec: LeaderWorkerSetSpec;
  readonly status?: LeaderWorkerSetStatus | undefined;
}

export interface LeaderWorkerSetSpec {
  /** Groups of one leader and its workers. Its CRD defaults it to 1. */
  readonly replicas?: number | undefined;
  readonly leaderWorkerTemplate: LeaderWorkerTemplate;
  readonly rolloutStrategy?: unknown;
  readonly startupPolicy?: string | undefined;
  readonly networkConfig?: unknown;
}

export interface LeaderWorkerTemplate {
  /** Absent: leaders are made from the worker template. */
  readonly leaderTemplate?: PodTemplate | undefined;
  readonly workerTemplate: PodTemplate;
  /** Pods of a group, the leader included. Its CRD defaults it to 1. */
  readonly size?: number | undefined;
  readonly restartPolicy?: string | undefined;
  readonly subGroupPolicy?: unknown;
  readonly volumeClaimTemplates?: readonly unknown[] | undefined;
}

export interface LeaderWorkerSetStatus {
  readonly replicas?: number | undefined;
  readonly readyReplicas?: number | undefined;
  readonly updatedReplicas?: number | undefined;
  /** For the scale subresource: selects leaders. */
  readonly hpaPodSelector?: string | undefined;
  readonly conditions?: readonly Condition[] | undefined;
}

export const leaderWorkerSetApiVersion = 'leaderworkerset.x-k8s.io/v1';
export const leaderWorkerSetKind = 'LeaderWorkerSet';
