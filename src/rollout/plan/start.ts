import { modelServingResource, pausedAnnotation } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { type Goal, updateUnit } from '../inplace/update-unit.ts';
import type { UnitView } from '../observe/assess.ts';
import { instanceKey } from '../observe/fleet.ts';
import { poolOf } from '../observe/settings.ts';
import { driftEvent, fallbackEvent, invalidPartitionEvent, startedEvent, stateInvalidEvent } from '../status/events.ts';
import { reasonsAgainst } from './advance.ts';
import { type BudgetUnit, type Course, startsNow } from './budget.ts';
import { removeUnit } from './remove.ts';
import { isUnmakeable } from './unmakeable.ts';

/** A unit with what it is doing, after everything that goes on by itself. */
export interface CourseInput {
  readonly units: readonly UnitView[];
  readonly blocked: ReadonlySet<string>;
}

/**
 * Starts the update of as many units as the budget allows, pool by pool.
 *
 * @returns keys of the units that were started in place
 */
export const startUnits = (context: Context, input: CourseInput): ReadonlySet<string> => {
  const started = new Set<string>();
  for (const units of poolsOf(input.units)) {
    const budget = units.map((unit): BudgetUnit => ({ unit, course: courseOf(context, unit, input.blocked) }));
    const { replicas, maxUnavailable } = poolOf(context.settings, units[0] ?? { roleInstance: undefined });
    const halted = isHalted(context, units);
    const starts = startsNow({ pool: budget, replicas, maxUnavailable, halted });
    for (const unit of starts) {
      if (startUnit(context, unit)) started.add(unit.key);
    }
    explainHold(context, { budget, halted, starts });
  }
  return started;
};

/** Units that share a budget, together. */
export const poolsOf = <T extends { readonly pool: string }>(units: readonly T[]): readonly (readonly T[])[] => {
  const pools = new Map<string, T[]>();
  for (const unit of units) {
    const pool = pools.get(unit.pool);
    if (pool === undefined) pools.set(unit.pool, [unit]);
    else pool.push(unit);
  }
  return [...pools.values()];
};

export type { Course };

export const courseOf = (context: Context, unit: UnitView, blocked: ReadonlySet<string>): Course => {
  const { records, settings, memory } = context;
  if (unit.attempt !== undefined) return 'in-update';
  const kept = unit.kept || settings.paused;
  if (unit.instances.some((it) => records.isLeaving(it))) return kept ? 'kept' : 'absent';
  if (unit.pods.length === 0) return kept ? 'kept' : 'absent';
  if (unit.instances.every((it) => blocked.has(instanceKey(it)))) return kept ? 'kept' : 'absent';
  if (isRecordLost(context, unit)) return 'in-update';
  if (!unit.outdated) return 'done';
  return kept || memory.statusPruned || isHeld(context, unit) ? 'kept' : 'candidate';
};

/** It would have to be made again from the target, and cannot be: what runs stays. */
const isHeld = (context: Context, unit: UnitView): boolean =>
  isUnmakeable(context, context.catalog.target) &&
  (context.settings.updateMethod === 'Recreate' || reasonsAgainst(context, unit, context.catalog.target).length > 0);

/** Marked, but no record says how many updates it had completed: it waits, holding a slot, until that is rebuilt. */
const isRecordLost = ({ records }: Context, unit: UnitView): boolean =>
  !unit.recorded &&
  unit.instances.some(
    (instance) => instance.pods.some((pod) => pod.marker.state === 'valid') && records.get(instance) === undefined,
  );

/** A unit failed on the target: no other is fed to the same image. In Role mode, of that Role only. */
const isHalted = ({ records, catalog }: Context, units: readonly UnitView[]): boolean =>
  records
    .failures()
    .some((failure) => failure.revision === catalog.target && failure.role === units[0]?.roleInstance?.role);

/** @returns whether the unit is patched in place, rather than taken down to be made again */
const startUnit = (context: Context, unit: UnitView): boolean => {
  const { settings, catalog, draft, time } = context;
  if (settings.updateMethod === 'Recreate') {
    removeUnit(context, unit, `recreated for revision ${catalog.target}`);
    return false;
  }
  const reasons = reasonsAgainst(context, unit, catalog.target);
  if (reasons.length > 0) {
    draft.event(fallbackEvent(context, unit, reasons));
    removeUnit(context, unit, reasons[0]?.message ?? 'not eligible');
    return false;
  }
  const goal: Goal = { revision: catalog.target, startedAt: new Date(time.wall).toISOString() };
  reportTampering(context, unit);
  if (updateUnit(context, unit, goal) === 0) return false;
  // The attempt is counted against the records, so these must be stored before the first marker.
  if (context.records.changed) draft.milestone();
  draft.event(startedEvent(context, unit, goal));
  draft.wakeIn(settings.deadlineMs);
  return true;
};

const reportTampering = (context: Context, unit: UnitView): void => {
  for (const pod of unit.pods) {
    const verdict = unit.verdicts.get(pod.uid);
    if (verdict?.state === 'unproved') context.draft.event(stateInvalidEvent(context, pod, verdict.problem));
    if (verdict?.state !== 'drifted') continue;
    const live = pod.pod.spec.containers.find(({ name }) => name === verdict.container)?.image ?? '';
    const generation = pod.pod.metadata.generation;
    // Right after a start this process cannot know whether a webhook or a person wrote the image: no event then.
    if (context.memory.answers.has(pod.uid)) {
      context.draft.event(driftEvent(context, pod, { container: verdict.container, live, generation }));
    }
  }
};

interface Hold {
  readonly budget: readonly BudgetUnit[];
  readonly halted: boolean;
  readonly starts: readonly UnitView[];
}

/** Why outdated units stand still, and what would move them. */
const explainHold = (context: Context, { budget, halted, starts }: Hold): void => {
  const { draft, settings, catalog, records, memory } = context;
  const waiting = budget.filter(({ unit, course }) => course === 'candidate' && !starts.includes(unit));
  if (memory.statusPruned) {
    if (!budget.some(({ unit, course }) => course === 'kept' && !unit.kept && unit.outdated)) return;
    const crd = `${modelServingResource.plural}.${modelServingResource.group}`;
    const message = `no unit starts, because the installed CRD ${crd} drops status.units and status.failures; install the CRD of this version`;
    draft.wait({ unit: '', reason: 'CRDOutdated', message });
    return;
  }
  if (settings.paused) {
    if (!budget.some(({ unit, course }) => course === 'kept' && !unit.kept && unit.outdated)) return;
    const message = `no unit starts, because the ModelServing is paused; remove the annotation ${pausedAnnotation} to go on`;
    draft.wait({ unit: '', reason: 'Paused', message });
    return;
  }
  const { partitionProblem } = poolOf(settings, budget[0]?.unit ?? { roleInstance: undefined });
  if (partitionProblem !== undefined && budget.some(({ unit }) => unit.kept && unit.outdated)) {
    draft.event(invalidPartitionEvent(context, partitionProblem));
    const message = `no unit starts, because the partition cannot be read: ${partitionProblem}; correct the field to go on`;
    draft.wait({ unit: '', reason: 'InvalidPartition', message });
    return;
  }
  if (waiting.length === 0) return;
  const failed = records.failures().find((failure) => failure.revision === catalog.target);
  if (halted && failed !== undefined) {
    const message = `no unit starts for revision ${catalog.target}, because group ${failed.group} failed on it; correct or revert the image`;
    draft.wait({ unit: '', reason: 'HaltedByFailure', message });
    return;
  }
  const holders = [
    ...starts.map((unit) => unit.title),
    ...budget
      .filter(
        ({ unit, course }) => course === 'in-update' || course === 'absent' || (course !== 'candidate' && !unit.ready),
      )
      .map(({ unit }) => unit.title),
  ];
  const message = `${waiting.length} outdated ${waiting.length === 1 ? 'unit waits' : 'units wait'} until ${holders.join(', ') || 'an unavailable unit'} is available`;
  draft.wait({ unit: '', reason: 'WaitingForBudget', message });
};
