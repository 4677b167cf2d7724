import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';
import { isAlive } from '../observe/pod-view.ts';

/**
 * Says which Pods nobody knows the origin of: their revision is not on record, and they are not what any on record
 * makes. They are outdated; so their unit is made again when its turn comes, and a person should know why.
 */
export const reportUnknown = ({ catalog, draft }: Context, units: readonly UnitView[]): void => {
  for (const unit of units) {
    if (unit.attempt !== undefined || unit.labelled) continue;
    const pod = unit.pods.find((it) => isAlive(it) && isUnknown(catalog, it.revision));
    if (pod === undefined) continue;
    const label =
      pod.revision === undefined ? 'has no revision label' : `carries revision ${pod.revision}, which is not on record`;
    const message = `Pod ${pod.name} ${label}, and no revision on record makes such a Pod; it counts as outdated`;
    draft.wait({ unit: unit.title, reason: 'RevisionUnknown', message });
  }
};

const isUnknown = (catalog: Context['catalog'], revision: string | undefined): boolean =>
  revision === undefined || catalog.roles(revision) === undefined;
