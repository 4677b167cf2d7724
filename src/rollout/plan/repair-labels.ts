import { entryLabel, instanceLabels, revisionLabel, roleTemplateHashLabel } from '../../api/index.ts';
import { resourceVersionOf } from '../../objects/index.ts';
import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';
import { isAlive, openMarker, type PodView } from '../observe/pod-view.ts';

/**
 * Labels that say which Pod one is, put right where they do not: edited by hand, won by a label of the template, or
 * naming a revision that was found to be another one (`adoptPods`). Services, routers and the status select by them.
 * Metadata only. A Pod in update gets its labels with its images.
 */
export const repairLabels = (context: Context, units: readonly UnitView[]): void => {
  const { records, draft } = context;
  for (const unit of units) {
    for (const pod of unit.pods) {
      if (!isAlive(pod) || draft.touches(pod) || openMarker(pod, records.get(pod)?.completed) !== undefined) continue;
      const wrong = wrongLabels(context, pod);
      if (Object.keys(wrong).length === 0) continue;
      draft.patchPod(pod, {
        key: `labels/${pod.uid}`,
        body: { metadata: { resourceVersion: resourceVersionOf(pod.pod), labels: wrong } },
        why: `${unit.title}: labels of Pod ${pod.name} put right`,
      });
    }
  }
};

/** By label: the value it should have; null where it should not be. */
const wrongLabels = ({ modelServing, catalog }: Context, pod: PodView): Readonly<Record<string, string | null>> => {
  const live = pod.pod.metadata.labels ?? {};
  const { revision } = pod;
  const hash = revision === undefined ? undefined : catalog.roleTemplateHash(revision, pod.role);
  const wanted: Readonly<Record<string, string | null>> = {
    ...instanceLabels(modelServing, pod),
    [entryLabel]: pod.index === 0 ? 'true' : null,
    ...(revision === undefined ? {} : { [revisionLabel]: revision }),
    ...(hash === undefined || live[roleTemplateHashLabel] ? {} : { [roleTemplateHashLabel]: hash }),
  };
  return Object.fromEntries(Object.entries(wanted).filter(([key, value]) => (live[key] ?? null) !== value));
};
