import type { UnitView } from '../observe/assess.ts';

/** What a unit is doing, as far as the budget is concerned. */
export type Course =
  /** From its first marker until it is complete and Ready: holds its slot. */
  | 'in-update'
  /** On its way out, or not there: comes back at the target. */
  | 'absent'
  /** Wants an update and may start one. */
  | 'candidate'
  /** Kept at its revision by the partition, or by a pause. */
  | 'kept'
  /** At the target. */
  | 'done';

export interface BudgetUnit {
  readonly unit: UnitView;
  readonly course: Course;
}

export interface BudgetInput {
  /** The whole pool, final set. */
  readonly pool: readonly BudgetUnit[];
  /** Wanted units of the pool. */
  readonly replicas: number;
  readonly maxUnavailable: number;
  /** A unit failed on the target: no other may start. */
  readonly halted: boolean;
}

/**
 * Which units start now, in order: unhealthy ones first (they cost no capacity; among them those that miss a Pod), then
 * the highest ordinal. A unit counts as unavailable once, whatever the cause: not Ready, absent, or in update, whose
 * slot is held from the first marker until the last Pod is complete, so a Pod that is still Ready between the patch and
 * the kubelet's reaction frees nothing.
 */
export const startsNow = ({ pool, replicas, maxUnavailable, halted }: BudgetInput): readonly UnitView[] => {
  // Not even one that is not Ready: it may only just have been rebuilt on the revision that works.
  if (halted) return [];
  // Each unit beyond those wanted lends its slot to another, once it is Ready itself.
  const limit = Math.max(maxUnavailable, pool.length - (replicas - maxUnavailable));
  const pending = pool.filter(({ unit, course }) => isPending(course, unit)).length;
  let quota = pool.length - Math.max(0, replicas - maxUnavailable) - pending;
  let unavailable = pool.filter(
    ({ unit, course }) => course === 'in-update' || course === 'absent' || !unit.ready,
  ).length;
  const candidates = pool
    .filter(({ course }) => course === 'candidate')
    .map(({ unit }) => unit)
    .sort((a, b) => urgency(a) - urgency(b) || b.rank - a.rank);
  const starts: UnitView[] = [];
  for (const unit of candidates) {
    if (quota <= 0) break;
    if (unit.ready) {
      if (unavailable >= limit) break;
      unavailable += 1;
    }
    quota -= 1;
    starts.push(unit);
  }
  return starts;
};

/** Under way to the target, and not there yet. A kept unit that is down is not: it must not stop others from healing. */
const isPending = (course: Course, unit: UnitView): boolean =>
  course === 'in-update' || course === 'absent' || (course === 'done' && !unit.ready);

/** 0: misses a Pod; 1: has them all but is not Ready; 2: healthy. */
const urgency = (unit: UnitView): number => {
  if (unit.ready) return 2;
  const whole = unit.required.every(({ view }) => view !== undefined && !view.terminating && !view.finished);
  return whole ? 1 : 0;
};
