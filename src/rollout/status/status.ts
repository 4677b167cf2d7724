import { encodeRecreations, encodeUnits, type ModelServingStatus, roleId } from '../../api/index.ts';
import { jsonEqual } from '../../objects/index.ts';
import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';
import { instanceKey } from '../observe/fleet.ts';
import { poolOf } from '../observe/settings.ts';
import { storedUnits } from '../observe/stored-units.ts';
import { type Course, courseOf } from '../plan/start.ts';
import { conditionsOf } from './conditions.ts';
import { labelSelectorOf, summariseGroups } from './counts.ts';

export interface StatusInput {
  readonly units: readonly UnitView[];
  /** Ordinals of the final set. */
  readonly groups: readonly number[];
  /** Keys of units whose update this decision begins in place. */
  readonly started: ReadonlySet<string>;
  /** Keys of instances that are being taken down. */
  readonly blocked: ReadonlySet<string>;
  readonly currentRevision: string;
  readonly collisionCount: number | undefined;
}

/** The whole status as it should be after this decision; undefined where the live one already says it. */
export const statusOf = (context: Context, input: StatusInput): ModelServingStatus | undefined => {
  const { modelServing, catalog, records, fleet } = context;
  const courses = new Map(input.units.map((unit) => [unit.key, courseOf(context, unit, input.blocked)]));
  const updating = input.units.filter((unit) => unit.attempt !== undefined || input.started.has(unit.key));
  const disturbed = new Set([
    ...input.started,
    ...input.units.filter((unit) => courses.get(unit.key) === 'absent').map((unit) => unit.key),
  ]);
  const currentRevision = isRolledOut(input.units, { courses, disturbed }) ? catalog.target : input.currentRevision;
  const groups = summariseGroups(context, { units: input.units, disturbed, currentRevision, groups: input.groups });
  const existing = new Set(
    [...fleet.instances.values()].filter(({ pods }) => pods.length > 0).map(({ group }) => group),
  );
  const count = (predicate: (group: (typeof groups)[number]) => boolean): number => groups.filter(predicate).length;
  const updatedReplicas = count((group) => group.updated);
  const live = modelServing.status;
  const status: ModelServingStatus = {
    ...live,
    observedGeneration: modelServing.metadata.generation,
    replicas: existing.size,
    availableReplicas: count((group) => group.available),
    updatedReplicas,
    currentReplicas: currentRevision === catalog.target ? updatedReplicas : count((group) => group.current),
    currentRevision,
    updateRevision: catalog.target,
    collisionCount: input.collisionCount,
    labelSelector: labelSelectorOf(context),
    units: records.changed ? encodeUnits(records.all()) : storedUnits(live?.units).canonical,
    failures: records.failures().length === 0 ? undefined : records.failures(),
    recreations: records.recreations().length === 0 ? undefined : encodeRecreations(records.recreations()),
    conditions: conditionsOf(context, {
      units: input.units,
      groups,
      updating,
      isRollingOut: input.units.some((unit) =>
        isUnderWay(context, unit, { course: courses.get(unit.key), currentRevision }),
      ),
      surplus: surplusOf(context, input),
    }),
  };
  return jsonEqual(normal(status), normal(live ?? {})) ? undefined : status;
};

/** Groups of which a Pod exists beyond the final set; of the others, role instances. */
const surplusOf = ({ fleet }: Context, { units, groups }: StatusInput): readonly string[] => {
  const wanted = new Set<string>();
  for (const unit of units) for (const instance of unit.instances) wanted.add(instanceKey(instance));
  const kept = new Set(groups);
  const surplus = [...fleet.instances.values()]
    .filter((instance) => instance.pods.length > 0 && !wanted.has(instanceKey(instance)))
    .toSorted((a, b) => a.group - b.group || a.instance - b.instance)
    .map(({ group, role, instance }) => (kept.has(group) ? `${group}/${roleId(role, instance)}` : `${group}`));
  return [...new Set(surplus)];
};

/** Empty lists and absent ones are the same to the API server's readers; so they are here. */
const normal = (status: ModelServingStatus): ModelServingStatus => {
  const entries = Object.entries(status).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(entries);
};

interface Standing {
  readonly courses: ReadonlyMap<string, Course>;
  readonly disturbed: ReadonlySet<string>;
}

/**
 * The rollout is over: every wanted unit exists, is complete for the target and Ready, and none is kept on another
 * revision. Only then does currentRevision move, so that what the partition protects can always be rebuilt.
 */
const isRolledOut = (units: readonly UnitView[], { courses, disturbed }: Standing): boolean =>
  units.every(
    (unit) =>
      unit.attempt === undefined &&
      !disturbed.has(unit.key) &&
      courses.get(unit.key) !== 'candidate' &&
      unit.complete &&
      unit.ready &&
      unit.labelled,
  );

/** Not yet where the rollout takes it. Units that the partition keeps are where they should be. */
const isUnderWay = (
  context: Context,
  unit: UnitView,
  it: { readonly course: Course | undefined; readonly currentRevision: string },
): boolean => {
  if (it.course === 'candidate' || it.course === 'in-update') return true;
  if (it.course === 'kept') {
    const isMeant = unit.kept && poolOf(context.settings, unit).partitionProblem === undefined;
    return !isMeant && unit.outdated;
  }
  return it.currentRevision !== context.catalog.target && (it.course === 'absent' || !unit.ready);
};
