import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';
import { completedEvent } from '../status/events.ts';

/**
 * Closes the attempt of a unit whose Pods are all complete for its target: the count in the records passes the markers,
 * which mean nothing from then on. No Pod is written for it.
 *
 * @returns whether the unit has just completed
 */
export const closeAttempt = (context: Context, unit: UnitView): boolean => {
  const { records, draft } = context;
  if (unit.attempt === undefined || !unit.complete) return false;
  for (const instance of unit.instances) {
    const record = records.get(instance);
    if (record === undefined) continue;
    const attempts = unit.attempt.open
      .filter(({ pod }) => pod.role === instance.role && pod.instance === instance.instance)
      .map(({ marker }) => marker.attempt);
    records.set({ ...record, completed: Math.max(record.completed, ...attempts) });
  }
  // The freed slot may be given away in this very decision, so the closing must be stored first.
  draft.milestone();
  draft.event(completedEvent(context, unit));
  return true;
};
