import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';
import { poolOf } from '../observe/settings.ts';
import { noSurge, planUnits, type Surge, type Unit } from '../observe/units.ts';
import { reasonsAgainst } from './advance.ts';
import { courseOf, poolsOf } from './start.ts';

export interface SurgeInput {
  readonly currentRevision: string;
  readonly assess: (unit: Unit) => UnitView;
}

/**
 * How many units beyond those wanted each pool has for now. They are made at the target, lend their slots while the
 * rollout goes on, and are scaled away when every unit that it may reach is there and Ready. A rollout that image
 * patches can carry through within maxUnavailable uses none: it would only create and delete Pods.
 */
export const surgeNow = (context: Context, input: SurgeInput): Surge => {
  const { settings } = context;
  const knobs = settings.type === 'RoleRollingUpdate' ? [...settings.roles.values()] : [settings.groups];
  if (settings.paused || knobs.every(({ maxSurge }) => maxSurge === 0)) return noSurge;
  const surge = new Map<string, number>();
  // Seen with every surge unit there may be: without them, one that is in update would look like a surplus one.
  const units = planUnits(context, everySurge(context)).units.filter((unit) => exists(context, unit));
  for (const pool of poolsOf(units.map(input.assess))) {
    const [first] = pool;
    if (first === undefined) continue;
    const { maxSurge, maxUnavailable } = poolOf(settings, first);
    if (maxSurge === 0 || !isRollingOut(context, pool, input.currentRevision)) continue;
    if (maxUnavailable > 0 && isInPlaceAlone(context, pool)) continue;
    surge.set(first.pool, maxSurge);
  }
  return surge;
};

const everySurge = (context: Context): Surge => {
  const pools = poolsOf(planUnits(context).units);
  return new Map(
    pools.flatMap(([unit]) => (unit === undefined ? [] : [[unit.pool, poolOf(context.settings, unit).maxSurge]])),
  );
};

const exists = ({ records }: Context, unit: Unit): boolean =>
  unit.instances.some((instance) => instance.pods.length > 0 || records.isLeaving(instance));

const nothingBlocked: ReadonlySet<string> = new Set();

/**
 * Some unit that the partition does not keep is on its way to the target, has still to begin, or is to be made again.
 * Judged by as many units as are wanted, in ordinal order: one beyond them that is on its way out asks for nothing.
 */
const isRollingOut = (context: Context, pool: readonly UnitView[], currentRevision: string): boolean => {
  const courses = pool.map((unit) => ({ unit, course: courseOf(context, unit, nothingBlocked) }));
  if (courses.some(({ course }) => course === 'candidate' || course === 'in-update')) return true;
  const [first] = pool;
  if (first === undefined || currentRevision === context.catalog.target) return false;
  const { replicas } = poolOf(context.settings, first);
  const settled = courses
    .slice(0, replicas)
    .filter(({ unit, course }) => course === 'kept' || (course === 'done' && unit.ready));
  return settled.length < replicas;
};

const isInPlaceAlone = (context: Context, pool: readonly UnitView[]): boolean =>
  context.settings.updateMethod === 'InPlace' &&
  pool.every((unit) => {
    const course = courseOf(context, unit, nothingBlocked);
    if (course === 'candidate') return reasonsAgainst(context, unit, context.catalog.target).length === 0;
    return course !== 'absent';
  });
