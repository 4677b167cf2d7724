import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';
import { type InstanceView, instanceKey } from '../observe/fleet.ts';
import type { Unit } from '../observe/units.ts';
import { waitForTermination } from '../recovery/recover.ts';

/**
 * Takes a unit down, to be made again from the target. Its instances are recorded as leaving before the first delete,
 * so that a crash in the middle goes on deleting and never fills.
 */
export const removeUnit = (context: Context, unit: Pick<UnitView, 'instances' | 'title'>, why: string): void => {
  for (const instance of unit.instances) leave(context, instance, `${unit.title}: ${why}`);
};

/** Instances that go for good: scaled down, or of a Role that is no more. */
export const removeForGood = (context: Context, instances: readonly InstanceView[]): void => {
  const { draft, records } = context;
  for (const instance of instances) {
    if (instance.service !== undefined) draft.deleteService(instance.service, 'its role instance is removed');
    if (instance.pods.length === 0) {
      records.remove(instance);
      continue;
    }
    leave(context, instance, `group ${instance.group} ${instance.role}-${instance.instance}: scaled down`);
    waitForTermination(context, `group ${instance.group} ${instance.role}-${instance.instance}`, instance.pods);
  }
};

/** Services of role instances that nobody wants any more, whose Pods are gone already. */
export const removeStrayServices = (context: Context, units: readonly Unit[]): void => {
  const empty = [...context.fleet.instances.values()].filter(({ pods }) => pods.length === 0);
  if (empty.length === 0) return;
  const wanted = new Set(units.flatMap((unit) => unit.instances.map(instanceKey)));
  for (const instance of empty) {
    if (instance.service !== undefined && !wanted.has(instanceKey(instance))) {
      context.draft.deleteService(instance.service, 'its role instance is gone');
    }
  }
};

const leave = ({ draft, records }: Context, instance: InstanceView, why: string): void => {
  const record = records.get(instance);
  if (record?.leaving !== true) {
    const { group, role, instance: ordinal } = instance;
    records.set({ group, role, instance: ordinal, completed: record?.completed ?? 0, leaving: true });
    draft.milestone();
  }
  for (const pod of instance.pods) draft.deletePod(pod, why);
};
