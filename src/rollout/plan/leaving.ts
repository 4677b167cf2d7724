import type { Context } from '../context.ts';
import { instanceKey } from '../observe/fleet.ts';
import type { Unit } from '../observe/units.ts';
import { waitForTermination } from '../recovery/recover.ts';

/**
 * Goes on with units that were taken down for a rollout: what is left of them is deleted, and when no Pod remains they
 * are filled again, under their own ordinals. The others of a group wait for the last one.
 *
 * @returns keys of the instances that must not be filled now
 */
export const finishLeaving = (context: Context, units: readonly Unit[]): ReadonlySet<string> => {
  const { records, draft } = context;
  const blocked = new Set<string>();
  for (const unit of units) {
    const leaving = unit.instances.filter((instance) => records.isLeaving(instance));
    if (leaving.length === 0) continue;
    const pods = leaving.flatMap((instance) => instance.pods);
    if (pods.length === 0) {
      for (const instance of leaving) records.vacate(instance);
      draft.milestone();
      continue;
    }
    for (const instance of unit.instances) blocked.add(instanceKey(instance));
    for (const pod of pods) draft.deletePod(pod, `${unit.title}: taken down to be made again`);
    waitForTermination(context, unit.title, pods);
  }
  return blocked;
};
