import type { FailureRecord } from '../../api/index.ts';
import type { Pod } from '../../objects/index.ts';
import type { UnitView } from '../observe/assess.ts';
import type { Records } from '../observe/records.ts';
import { isUnitOf } from '../observe/unit-failure.ts';
import type { Time } from '../types.ts';

export type DeadlineState =
  | { readonly state: 'running'; readonly leftMs: number }
  /** Time is up, but every Pod that is not complete is Ready and inside its settle time: judged when that ends. */
  | { readonly state: 'settling' }
  /** Time is up and no record says so yet. */
  | { readonly state: 'expired' }
  /** Recorded: the update window is closed. */
  | { readonly state: 'failed' };

/**
 * Where a unit in update stands with its progress deadline. The clock starts at the marker, so refused patches and
 * unreachable nodes are included; a retarget starts it anew.
 */
export const deadlineState = (
  unit: UnitView,
  input: { readonly records: Records; readonly time: Time; readonly deadlineMs: number },
): DeadlineState => {
  const { attempt } = unit;
  if (attempt === undefined) return { state: 'running', leftMs: Number.POSITIVE_INFINITY };
  if (failureOf(unit, input.records) !== undefined) return { state: 'failed' };
  const leftMs = Date.parse(attempt.startedAt) + input.deadlineMs - input.time.wall;
  if (leftMs > 0) return { state: 'running', leftMs };
  return isSettling(unit, input.time.wall + leftMs) ? { state: 'settling' } : { state: 'expired' };
};

/**
 * Nothing is left of the update but the wait that shows it is over, and nothing has moved since time was up: a
 * container started or a readiness gained later comes too late.
 */
const isSettling = (unit: UnitView, endedAt: number): boolean =>
  unit.required.every(({ view }) => {
    const verdict = view === undefined ? undefined : unit.verdicts.get(view.uid);
    if (view === undefined || verdict === undefined) return false;
    if (verdict.state === 'complete') return true;
    return verdict.state === 'updating' && verdict.progress.settling && latestMoveOf(view.pod) <= endedAt;
  });

/** The latest container start or Ready transition, milliseconds, by the kubelet's clock. */
const latestMoveOf = (pod: Pod): number => {
  const ready = pod.status?.conditions?.find((condition) => condition.type === 'Ready');
  const starts = (pod.status?.containerStatuses ?? []).map((status) => status.state?.running?.startedAt);
  return Math.max(...[ready?.lastTransitionTime, ...starts].map((at) => Date.parse(at ?? '') || 0));
};

/** The record that this attempt ran out of time. */
export const failureOf = (unit: UnitView, records: Records): FailureRecord | undefined =>
  records
    .failures()
    .find(
      (failure) =>
        isUnitOf(failure, unit) &&
        failure.revision === unit.attempt?.target &&
        failure.startedAt === unit.attempt.startedAt,
    );
