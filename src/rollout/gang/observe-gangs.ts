import { effectiveSchedulerName, groupName, parseGroupName, podGroupNameAnnotation } from '../../api/index.ts';
import { controllerOf, nameOf } from '../../objects/index.ts';
import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';
import { isAlive, type PodView } from '../observe/pod-view.ts';
import { type PodGroup, volcanoScheduler } from './pod-group.ts';

/** The PodGroups that exist, by what they are to this ModelServing. */
export interface ObservedPodGroups {
  /** Ours, by ordinal of the ServingGroup. */
  readonly own: ReadonlyMap<number, PodGroup>;
  /** Holding a name of ours, but somebody else's, by ordinal. */
  readonly strange: ReadonlyMap<number, PodGroup>;
}

export const sortPodGroups = (context: Context, objects: readonly PodGroup[]): ObservedPodGroups => {
  const own = new Map<number, PodGroup>();
  const strange = new Map<number, PodGroup>();
  for (const object of objects) {
    const ordinal = parseGroupName(context.msName, nameOf(object));
    if (ordinal === undefined) continue;
    if (controllerOf(object)?.uid === context.ownerUID) own.set(ordinal, object);
    else strange.set(ordinal, object);
  }
  return { own, strange };
};

/** Whether the Pods of a unit, those that exist or else those to be made, are Volcano's. */
export const usesVolcano = ({ catalog, modelServing }: Context, unit: UnitView): boolean => {
  const existing = unit.pods[0]?.pod.spec.schedulerName;
  const planned = catalog.schedulerName(unit.recipe) ?? effectiveSchedulerName(modelServing.spec);
  return (existing ?? planned) === volcanoScheduler;
};

export const isMember = ({ msName }: Context, pod: PodView): boolean =>
  pod.pod.metadata.annotations?.[podGroupNameAnnotation] === groupName(msName, pod.group);

export const isPlaced = ({ pod }: PodView): boolean => pod.spec.nodeName !== undefined && pod.spec.nodeName !== '';

/**
 * Whether a ServingGroup is to have a PodGroup. One that was placed without (before Volcano was there) is left as it
 * is: its Pods would not count as members, so a PodGroup could never be filled, and a Pod that joined it would wait for
 * ever. It becomes a gang when it is made anew as a whole.
 */
export const isGang = (
  context: Context,
  units: readonly UnitView[],
  it: { readonly hasPodGroup: boolean },
): boolean => {
  if (!units.some((unit) => unit.required.length > 0 && usesVolcano(context, unit))) return false;
  const pods = units.flatMap((unit) => unit.pods);
  return it.hasPodGroup || pods.some((pod) => isMember(context, pod)) || !pods.filter(isAlive).some(isPlaced);
};
