import type { FailureRecord } from '../../api/index.ts';
import { livePreflight, type Reason } from '../../eligibility/index.ts';
import type { Context } from '../context.ts';
import { deadlineState } from '../inplace/deadline.ts';
import { updateUnit } from '../inplace/update-unit.ts';
import type { UnitView } from '../observe/assess.ts';
import { instanceKey } from '../observe/fleet.ts';
import { isAlive } from '../observe/pod-view.ts';
import { isUnitOf } from '../observe/unit-failure.ts';
import { deadlineEvent, driftEvent, fallbackEvent, startedEvent } from '../status/events.ts';
import { describeTrouble } from '../status/trouble.ts';
import { removeUnit } from './remove.ts';
import { isUnmakeable } from './unmakeable.ts';

/**
 * Drives every unit that is in update: on to the target, whatever the target is by now, or down where an image patch
 * cannot reach it; and judges those whose time is up.
 */
export const advanceUnits = (context: Context, units: readonly UnitView[], around: AdvanceInput): void => {
  const surroundings: Surroundings = { ...around, units, takenDown: new Set() };
  for (const unit of units) {
    if (unit.attempt !== undefined) advanceUnit(context, unit, surroundings);
  }
};

export interface AdvanceInput {
  /** Keys of instances that are being taken down. */
  readonly blocked: ReadonlySet<string>;
  /** Keys of units whose lost record was rebuilt by this decision: their clock starts anew. */
  readonly reopened: ReadonlySet<string>;
}

interface Surroundings extends AdvanceInput {
  readonly units: readonly UnitView[];
  /** Groups that this decision begins to recreate for a passed deadline. */
  readonly takenDown: Set<number>;
}

const advanceUnit = (context: Context, unit: UnitView, around: Surroundings): void => {
  const { settings, catalog, time, draft } = context;
  const { attempt } = unit;
  if (attempt === undefined || unit.instances.every((it) => around.blocked.has(instanceKey(it)))) return;
  const reasons = settings.updateMethod === 'Recreate' ? [] : reasonsAgainst(context, unit, catalog.target);
  const mustGo = settings.updateMethod === 'Recreate' || reasons.length > 0;
  if (mustGo && isUnmakeable(context, catalog.target)) return;
  if (settings.updateMethod === 'Recreate') {
    removeUnit(context, unit, 'updateMethod is Recreate now');
    return;
  }
  if (reasons.length > 0) {
    draft.event(fallbackEvent(context, unit, reasons));
    removeUnit(context, unit, reasons[0]?.message ?? 'not eligible');
    return;
  }
  reportDrift(context, unit);
  if (attempt.target !== catalog.target) {
    const resumed = attempt.open
      .filter(({ marker }) => marker.target === catalog.target)
      .map(({ marker }) => marker.startedAt)
      .sort((a, b) => Date.parse(b) - Date.parse(a))[0];
    const goal = { revision: catalog.target, startedAt: resumed ?? new Date(time.wall).toISOString() };
    updateUnit(context, unit, goal);
    draft.event(startedEvent(context, unit, goal));
    draft.wakeIn(settings.deadlineMs);
    return;
  }
  if (around.reopened.has(unit.key)) {
    updateUnit(context, unit, { revision: catalog.target, startedAt: new Date(time.wall).toISOString() });
    return;
  }
  const isTaken = judgeDeadline(context, unit, around);
  if (!isTaken) updateUnit(context, unit, { revision: catalog.target, startedAt: attempt.startedAt });
  confirmSettling(context, unit);
};

/** Why not every Pod of the unit can be patched from what it is now to the revision. */
export const reasonsAgainst = (context: Context, unit: UnitView, revision: string): readonly Reason[] => {
  const { catalog } = context;
  const sources = new Set(unit.pods.filter(isAlive).map((pod) => pod.revision ?? ''));
  const reasons = [...sources]
    .filter((source) => source !== revision)
    .flatMap((source) => catalog.eligibility(source, revision, unit.roleInstance?.role).reasons);
  if (reasons.length > 0) return distinct(reasons);
  const roles = catalog.roles(revision);
  return distinct(
    unit.pods.filter(isAlive).flatMap((pod) => {
      const role = roles?.get(pod.role);
      return role === undefined ? [] : livePreflight(pod.pod, { role, index: pod.index, ownerUID: context.ownerUID });
    }),
  );
};

const distinct = (reasons: readonly Reason[]): readonly Reason[] => [
  ...new Map(reasons.map((reason) => [`${reason.path} ${reason.message}`, reason])).values(),
];

const reportDrift = (context: Context, unit: UnitView): void => {
  for (const pod of unit.pods) {
    const verdict = unit.verdicts.get(pod.uid);
    if (verdict?.state !== 'updating' || !context.memory.answers.has(pod.uid)) continue;
    for (const [container, progress] of verdict.progress.containers) {
      if (progress.state !== 'drifted') continue;
      const generation = pod.pod.metadata.generation;
      context.draft.event(driftEvent(context, pod, { container, live: progress.image, generation }));
    }
  }
};

/** A settle wait that is over needs one read past the cache; one that is not needs a wake-up. */
const confirmSettling = ({ draft }: Context, unit: UnitView): void => {
  for (const pod of unit.pods) {
    const verdict = unit.verdicts.get(pod.uid);
    if (verdict?.state !== 'updating' || !verdict.progress.settling) continue;
    const leftMs = verdict.progress.settlesInMs ?? 0;
    if (leftMs > 0) draft.wakeIn(leftMs);
    else if (!draft.touches(pod)) draft.readPod(pod, `${unit.title}: confirms that nothing changed while it settled`);
  }
};

/**
 * First the record, then the Warning, then the recovery policy, for Pods that are not complete.
 *
 * @returns whether Pods of the unit are being taken down for it
 */
const judgeDeadline = (context: Context, unit: UnitView, around: Surroundings): boolean => {
  const { settings, records, draft } = context;
  const { attempt } = unit;
  const deadline = deadlineState(unit, { records, time: context.time, deadlineMs: settings.deadlineMs });
  if (attempt === undefined || deadline.state === 'settling') return false;
  if (deadline.state === 'running') {
    draft.wakeIn(deadline.leftMs);
    return false;
  }
  if (deadline.state === 'expired') {
    records.unfail((failure) => isUnitOf(failure, unit));
    records.fail(failureRecord(unit, attempt));
    draft.milestone();
  }
  draft.event(deadlineEvent(context, unit, describeTrouble(unit)));
  return takeDownFailed(context, unit, around);
};

const failureRecord = (
  unit: UnitView,
  attempt: { readonly target: string; readonly startedAt: string },
): FailureRecord => ({
  group: unit.group,
  ...(unit.roleInstance === undefined ? {} : { role: unit.roleInstance.role, instance: unit.roleInstance.instance }),
  revision: attempt.target,
  startedAt: attempt.startedAt,
});

/**
 * Deletes one incomplete Pod of each role instance that owns one (ServingGroupRecreate: of the group); the rest follows
 * as lost in part. Replacements carry no marker, so this acts once. One group at a time: a bad image under Role updates
 * must never empty every group at once.
 */
const takeDownFailed = (context: Context, unit: UnitView, around: Surroundings): boolean => {
  const { settings, draft } = context;
  if (settings.recoveryPolicy === 'None' || context.memory.statusPruned) return false;
  if (isUnmakeable(context, unit.recipe)) return false;
  const guilty = unit.pods.filter((pod) => isAlive(pod) && isIncomplete(unit, pod.uid));
  if (guilty.length === 0) return false;
  const busy = groupInRecovery(context, unit, around);
  if (busy !== undefined) {
    const message = `its deadline has passed; it is recreated when group ${busy} is whole and Ready again`;
    draft.wait({ unit: unit.title, reason: 'ProgressDeadlineExceeded', message });
    return false;
  }
  const perGroup = settings.recoveryPolicy === 'ServingGroupRecreate';
  const chosen = new Map(guilty.toReversed().map((pod) => [perGroup ? 'group' : instanceKey(pod), pod]));
  for (const pod of chosen.values()) {
    draft.deletePod(pod, `${unit.title}: not complete when its deadline passed`, { health: true });
  }
  around.takenDown.add(unit.group);
  return true;
};

const isIncomplete = (unit: UnitView, uid: string): boolean => {
  const open = unit.attempt?.open.find((it) => it.pod.uid === uid);
  return open?.marker.startedAt === unit.attempt?.startedAt && unit.verdicts.get(uid)?.state === 'updating';
};

/** Another group that a passed deadline has begun to recreate, and that is not whole and Ready again. */
const groupInRecovery = (context: Context, unit: UnitView, { units, takenDown }: Surroundings): number | undefined => {
  const [begun] = [...takenDown].filter((group) => group !== unit.group);
  if (begun !== undefined) return begun;
  const failed = units.filter(
    (other) =>
      other.group !== unit.group &&
      !other.ready &&
      context.records.failures().some((failure) => isUnitOf(failure, other)) &&
      isBeingRecreated(other),
  );
  return failed[0]?.group;
};

/** Its failed markers are going or gone: some Pod is missing, terminating, or a replacement without a marker. */
const isBeingRecreated = (unit: UnitView): boolean =>
  unit.required.some(({ view }) => view === undefined || view.terminating || view.marker.state !== 'valid');
