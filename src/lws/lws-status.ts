import type { ModelServing } from '../api/index.ts';
import { type Condition, diffMergePatch, jsonEqual, nameOf, resourceVersionOf } from '../objects/index.ts';
import type { LeaderWorkerSet, LeaderWorkerSetStatus } from './leader-worker-set.ts';

/** ModelServing and LeaderWorkerSet have the same three. */
const conditionTypes: readonly string[] = ['Available', 'Progressing', 'UpdateInProgress'];

/**
 * The JSON merge patch of the status of a LeaderWorkerSet after that of its ModelServing; undefined where it already
 * says so, or while the ModelServing's status speaks of an older spec.
 */
export const lwsStatusPatch = (lws: LeaderWorkerSet, { metadata, status }: ModelServing): object | undefined => {
  if (status === undefined || status.observedGeneration !== metadata.generation) return undefined;
  const wanted: LeaderWorkerSetStatus = {
    ...lws.status,
    replicas: status.replicas ?? 0,
    readyReplicas: status.availableReplicas ?? 0,
    updatedReplicas: status.updatedReplicas ?? 0,
    hpaPodSelector: `leaderworkerset.sigs.k8s.io/name=${nameOf(lws)},leaderworkerset.sigs.k8s.io/worker-index=0`,
    conditions: conditionsOf(lws, status.conditions ?? []),
  };
  if (jsonEqual(withoutZeros(wanted), withoutZeros(lws.status ?? {}))) return undefined;
  return { metadata: { resourceVersion: resourceVersionOf(lws) }, status: diffMergePatch(lws.status ?? {}, wanted) };
};

const conditionsOf = (lws: LeaderWorkerSet, conditions: readonly Condition[]): readonly Condition[] => [
  ...(lws.status?.conditions ?? []).filter(({ type }) => !conditionTypes.includes(type)),
  ...conditions
    .filter(({ type }) => conditionTypes.includes(type))
    // Its observedGeneration counts edits of another object.
    .map(({ observedGeneration: _, ...condition }) => condition),
];

/** A count of 0 and an absent one are the same to readers; so are no conditions and none. */
const withoutZeros = (status: LeaderWorkerSetStatus): object =>
  Object.fromEntries(
    Object.entries(status).filter(([, value]) => value !== 0 && !(Array.isArray(value) && value.length === 0)),
  );
