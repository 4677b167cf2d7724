import { decodeRecreations, type ModelServing } from '../api/index.ts';
import { isTerminating, nameOf, uidOf } from '../objects/index.ts';
import type { Context } from './context.ts';
import { startDraft } from './draft.ts';
import { planGangs } from './gang/plan-gangs.ts';
import { closeAttempt } from './inplace/close.ts';
import { adoptPods } from './observe/adopt.ts';
import type { AssessInput, UnitView } from './observe/assess.ts';
import type { CatalogReading } from './observe/build-catalog.ts';
import { enterInstances } from './observe/enter.ts';
import { instanceKey } from './observe/fleet.ts';
import { pluginChains } from './observe/plugin-chains.ts';
import { recallCatalog } from './observe/recall-catalog.ts';
import { recallFleet } from './observe/recall-fleet.ts';
import { recallUnit } from './observe/recall-unit.ts';
import { draftRecords } from './observe/records.ts';
import { readSettings } from './observe/settings.ts';
import { storedUnits } from './observe/stored-units.ts';
import { isUnitOf } from './observe/unit-failure.ts';
import { planUnits, type Unit } from './observe/units.ts';
import { advanceUnits } from './plan/advance.ts';
import { fillUnit } from './plan/fill.ts';
import { keepHistory, recordRevision } from './plan/history.ts';
import { finishLeaving } from './plan/leaving.ts';
import { relabelUnits } from './plan/relabel.ts';
import { removeForGood, removeStrayServices } from './plan/remove.ts';
import { repairLabels } from './plan/repair-labels.ts';
import { repairServices } from './plan/repair-services.ts';
import { reportUnknown } from './plan/report-unknown.ts';
import { startUnits } from './plan/start.ts';
import { surgeNow } from './plan/surge.ts';
import { isUnmakeable, reportUnmakeable } from './plan/unmakeable.ts';
import { forgetRecreations } from './recovery/back-off.ts';
import { recover } from './recovery/recover.ts';
import { phasesOf, reportPhases } from './status/phases.ts';
import { statusOf } from './status/status.ts';
import type { DecideInput, Decision } from './types.ts';

/**
 * What to do next for one ModelServing: one pure function of what the caches show, the time and what this process has
 * seen. It keeps nothing, so a crash at any point is only an earlier call with other objects.
 *
 * `decide({ modelServing, children, time: { wall: Date.now(), monotonic: performance.now() }, memory })`
 */
export const decide = (input: DecideInput): Decision => {
  const { modelServing, memory } = input;
  if (isTerminating(modelServing)) return nothing(memory.phases);
  const { context, currentRevision, collisionCount, testimonies } = prepare(input);
  const { draft } = context;
  const assess = assessor(context, currentRevision);
  const plan = planUnits(context, surgeNow(context, { currentRevision, assess }));
  removeForGood(context, plan.removals);
  removeStrayServices(context, plan.units);

  const { units: entered, reopened } = enterUnits(context, plan.units, assess);
  const units = entered.map((unit) => (closeAttempt(context, unit) ? assess(unit) : unit));
  forgetFailures(context, units);
  forgetRecreations(context, units);

  const leaving = finishLeaving(context, units);
  const lost = recover(
    context,
    units.filter((unit) => !isUnmakeable(context, unit.recipe)),
  );
  const blocked = new Set([...leaving, ...lost]);
  advanceUnits(context, units, { blocked, reopened });
  const started = startUnits(context, { units, blocked });
  relabelUnits(context, units);
  repairLabels(context, units);
  repairServices(context, units);
  reportUnknown(context, units);
  const closed = takenDown(context, units, blocked);
  reportUnmakeable(context, units);
  const gangs = planGangs(context, { units, groups: plan.groups, blocked: closed });
  for (const unit of units) fillUnit(context, unit, { blocked: closed, gang: gangs.get(unit.group) ?? 'none' });
  const { controllerRevisions } = input.children;
  keepHistory(context, { currentRevision, controllerRevisions, testimonies });

  const phases = phasesOf(context, units, blocked);
  reportPhases(context, phases);
  const status = statusOf(context, { units, groups: plan.groups, started, blocked, currentRevision, collisionCount });
  if (draft.effects().length > 0 && modelServing.status?.currentRevision === undefined) draft.milestone();
  return {
    effects: draft.effects(),
    status,
    milestone: draft.isMilestone && status !== undefined,
    events: draft.events.filter(({ name }) => !memory.eventsSent.has(name)),
    waits: draft.waits,
    wakeAfterMs: draft.wakeAfterMs,
    phases,
  };
};

const nothing = (phases: Decision['phases'] | undefined): Decision => ({
  effects: [],
  status: undefined,
  milestone: false,
  events: [],
  waits: [],
  wakeAfterMs: undefined,
  phases: phases ?? new Map(),
});

interface Prepared {
  readonly context: Context;
  /** What protected units are rebuilt from. */
  readonly currentRevision: string;
  readonly collisionCount: number | undefined;
  readonly testimonies: CatalogReading['testimonies'];
}

const prepare = ({ modelServing, children, time, memory, plugins }: DecideInput): Prepared => {
  const draft = startDraft();
  const found = recallFleet(modelServing, children);
  const { controllerRevisions } = children;
  const reading = recallCatalog({ modelServing, controllerRevisions, fleet: found, memory, plugins });
  const { catalog, creation } = reading;
  if (creation !== undefined) recordRevision(draft, creation, memory);
  const chains = pluginChains(catalog, plugins);
  const fleet = adoptPods(found, { modelServing, catalog, plugins: chains });
  const context: Context = {
    modelServing,
    msName: nameOf(modelServing),
    ownerUID: uidOf(modelServing),
    settings: readSettings(modelServing),
    catalog,
    plugins: chains,
    fleet,
    podGroups: children.podGroups ?? { state: 'not-installed' },
    records: draftRecords({
      units: storedUnits(modelServing.status?.units).records,
      failures: modelServing.status?.failures ?? [],
      recreations: decodeRecreations(modelServing.status?.recreations),
    }),
    memory,
    time,
    draft,
  };
  const { collisionCount, testimonies } = reading;
  // Once the revision exists under its salted name, nothing else tells that there was a collision.
  if (collisionCount !== modelServing.status?.collisionCount) draft.milestone();
  return { context, currentRevision: currentRevisionOf(modelServing, context), collisionCount, testimonies };
};

/** The status has the word. Where it was never written, what most Pods are labelled with, else the target. */
const currentRevisionOf = (modelServing: ModelServing, { fleet, catalog }: Context): string => {
  const written = modelServing.status?.currentRevision;
  if (written !== undefined) return written;
  const counts = new Map<string, number>();
  for (const { pods } of fleet.instances.values()) {
    for (const { revision } of pods) {
      if (revision !== undefined && catalog.roles(revision) !== undefined) {
        counts.set(revision, (counts.get(revision) ?? 0) + 1);
      }
    }
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0] ?? catalog.target;
};

const assessor = (context: Context, currentRevision: string): ((unit: Unit) => UnitView) => {
  const { catalog, plugins, records, memory, time, msName, settings } = context;
  const input: AssessInput = { catalog, plugins, records, memory, time, msName, settings, currentRevision };
  return (unit) => recallUnit(unit, input);
};

/** Units assessed with the records of what has just come to exist. */
const enterUnits = (
  context: Context,
  units: readonly Unit[],
  assess: (unit: Unit) => UnitView,
): { readonly units: readonly UnitView[]; readonly reopened: ReadonlySet<string> } => {
  const reopened = new Set<string>();
  const views = units.map((unit) => {
    const view = assess(unit);
    const entries = enterInstances(context, view);
    if (entries.includes('reopened')) reopened.add(unit.key);
    return entries.some((entry) => entry !== 'waiting') ? assess(unit) : view;
  });
  return { units: views, reopened };
};

/** A failure is over when its unit completes, is gone, or is in update for something else (or from a new start). */
const forgetFailures = ({ records }: Context, units: readonly UnitView[]): void =>
  records.unfail((failure) => {
    const unit = units.find((it) => isUnitOf(failure, it));
    if (unit === undefined || unit.complete) return true;
    const { attempt } = unit;
    return attempt !== undefined && (attempt.target !== failure.revision || attempt.startedAt !== failure.startedAt);
  });

/** Instances that are going, also those that this very decision takes down: they are filled when nothing is left. */
const takenDown = (context: Context, units: readonly UnitView[], blocked: ReadonlySet<string>): ReadonlySet<string> => {
  const keys = new Set(blocked);
  for (const { instances } of units) {
    for (const instance of instances) {
      if (context.records.isLeaving(instance)) keys.add(instanceKey(instance));
    }
  }
  return keys;
};
