import type { Context } from '../context.ts';
import { relabelPatch } from '../inplace/pod-patch.ts';
import type { UnitView } from '../observe/assess.ts';
import { isAlive } from '../observe/pod-view.ts';

/**
 * Gives the target's label to Pods that already are what it asks for: a revision that is equal by meaning under another
 * name, or, under RoleRollingUpdate, Roles that the edit did not touch. Metadata only; no budget, no restart. In Role
 * mode a whole group goes at once, when none of its instances is outdated any more.
 */
export const relabelUnits = (context: Context, units: readonly UnitView[]): void => {
  if (units.every((unit) => unit.labelled)) return;
  const groups = new Map<number, UnitView[]>();
  for (const unit of units) {
    const group = groups.get(unit.group);
    if (group === undefined) groups.set(unit.group, [unit]);
    else group.push(unit);
  }
  for (const group of groups.values()) {
    if (group.every((unit) => unit.attempt === undefined && !unit.outdated)) {
      for (const unit of group) relabelUnit(context, unit);
    }
  }
};

const relabelUnit = ({ catalog, draft }: Context, unit: UnitView): void => {
  for (const pod of unit.pods) {
    if (!isAlive(pod) || pod.revision === undefined || pod.revision === catalog.target || draft.touches(pod)) continue;
    draft.patchPod(pod, {
      key: `relabel/${pod.uid}/${catalog.target}`,
      body: relabelPatch(pod, catalog.target),
      why: `${unit.title}: the same revision under the name ${catalog.target}`,
    });
  }
};
