import {
  entryLabel,
  instanceLabels,
  type ModelServing,
  revisionLabel,
  roleTemplateHashLabel,
} from '../../api/index.ts';
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
    if (rightUnits.has(unit)) continue;
    if (unit.pods.every((pod) => right.has(pod))) rightUnits.add(unit);
    for (const pod of unit.pods) {
      const wrong = wrongLabels(context, pod);
      if (wrong === undefined || !isAlive(pod) || draft.touches(pod)) continue;
      if (openMarker(pod, records.get(pod)?.completed) !== undefined) continue;
      draft.patchPod(pod, {
        key: `labels/${pod.uid}`,
        body: { metadata: { resourceVersion: resourceVersionOf(pod.pod), labels: wrong } },
        why: `${unit.title}: labels of Pod ${pod.name} put right`,
      });
    }
  }
};

/** By label: the value it should have, null where it should not be; undefined where all is right. */
type Corrections = Readonly<Record<string, string | null>> | undefined;

/** Pods that were found right. That depends on nothing but the Pod, so they are looked at once. */
const right = new WeakSet<PodView>();
const rightUnits = new WeakSet<UnitView>();

const wrongLabels = ({ modelServing, catalog }: Context, pod: PodView): Corrections => {
  if (right.has(pod)) return undefined;
  const hash = pod.revision === undefined ? undefined : catalog.roleTemplateHash(pod.revision, pod.role);
  const wrong = compareLabels(modelServing, pod, hash);
  // One without a hash may be given one by another catalog.
  if (wrong === undefined && pod.pod.metadata.labels?.[roleTemplateHashLabel]) right.add(pod);
  return wrong;
};

const compareLabels = (modelServing: ModelServing, pod: PodView, hash: string | undefined): Corrections => {
  const live = pod.pod.metadata.labels ?? {};
  const { revision } = pod;
  const wanted: Readonly<Record<string, string | null>> = {
    ...instanceLabels(modelServing, pod),
    [entryLabel]: pod.index === 0 ? 'true' : null,
    ...(revision === undefined ? {} : { [revisionLabel]: revision }),
    ...(hash === undefined || live[roleTemplateHashLabel] || !isOfOurMaking(pod)
      ? {}
      : { [roleTemplateHashLabel]: hash }),
  };
  const wrong = Object.entries(wanted).filter(([key, value]) => (live[key] ?? null) !== value);
  return wrong.length === 0 ? undefined : Object.fromEntries(wrong);
};

/** Others computed hashes in another way, or none: theirs stay, and what they left out is not made up. */
const isOfOurMaking = ({ createdRevision, marker }: PodView): boolean =>
  createdRevision !== undefined || marker.state === 'valid';
