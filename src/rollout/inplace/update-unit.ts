import type { Role } from '../../api/index.ts';
import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';
import { isAlive, type PodView } from '../observe/pod-view.ts';
import { patchFailedEvent } from '../status/events.ts';
import type { Refusal } from '../types.ts';
import type { Marker } from './marker.ts';
import { cancelPatch, imagesOf, liveImage, markPatch, type PodPatchInput, podPatch } from './pod-patch.ts';

/** Where a unit is brought to, and since when. */
export interface Goal {
  /** A revision of the catalog: the target, or a kept unit's own where a Pod of it was tampered with. */
  readonly revision: string;
  /** RFC 3339; from here the progress deadline counts for all Pods of the unit. */
  readonly startedAt: string;
}

/**
 * Brings every Pod of a unit to a revision: the first patch, the rest of them after a crash, a retarget at any moment,
 * an image edited by hand. What is already on its way is left alone. The unit was found eligible before.
 *
 * @returns how many Pods are still to be patched, now or after a back-off
 */
export const updateUnit = (context: Context, unit: UnitView, goal: Goal): number => {
  let pending = 0;
  for (const pod of unit.pods) {
    if (!isAlive(pod) || context.draft.touches(pod)) continue;
    const open = unit.attempt?.open.find((it) => it.pod.uid === pod.uid)?.marker;
    if (!needsPatch(unit, { pod, open, goal })) continue;
    patchOne(context, unit, { pod, open, goal });
    pending += 1;
  }
  return pending;
};

interface PodUpdate {
  readonly pod: PodView;
  readonly open: Marker | undefined;
  readonly goal: Goal;
}

const needsPatch = (unit: UnitView, { pod, open, goal }: PodUpdate): boolean => {
  const verdict = unit.verdicts.get(pod.uid);
  if (open !== undefined) {
    if (open.phase === 'Marked' || open.target !== goal.revision || open.startedAt !== goal.startedAt) return true;
    return (
      verdict?.state === 'updating' &&
      [...verdict.progress.containers.values()].some((container) => container.state === 'drifted')
    );
  }
  return pod.revision !== goal.revision || verdict?.state === 'unproved' || verdict?.state === 'drifted';
};

const patchOne = (context: Context, unit: UnitView, update: PodUpdate): void => {
  const { draft, memory, records } = context;
  const { pod, open, goal } = update;
  const completed = records.get(pod)?.completed ?? 0;
  if (open !== undefined && isCancelled(pod, open, goal)) {
    const body = cancelPatch(pod, open, completed);
    draft.patchPod(pod, { key: `cancel/${pod.uid}/${goal.revision}`, body, why: `${unit.title}: update called off` });
    return;
  }
  const input = patchInput(context, unit, update);
  if (input === undefined) return;
  const key = `update/${pod.uid}/${goal.revision}`;
  const refusal = memory.refusals.get(key);
  if (refusal !== undefined) draft.event(patchFailedEvent(context, unit, { pod, refusal, revision: goal.revision }));
  const backOffMs = refusal === undefined ? 0 : backOffLeftMs(refusal, context.time.monotonic);
  if (backOffMs <= 0) {
    draft.patchPod(pod, { key, body: podPatch(input).body, why: `${unit.title}: image to ${goal.revision}` });
    return;
  }
  draft.wakeIn(backOffMs);
  const message = `the API server refuses the patch of Pod ${pod.name}: ${refusal?.message}; tried again with back-off until the deadline`;
  draft.wait({ unit: unit.title, reason: 'InPlaceUpdatePatchFailed', message });
  if (open?.target === goal.revision) return;
  const markKey = `mark/${pod.uid}/${goal.revision}`;
  const markRefusal = memory.refusals.get(markKey);
  const markBackOffMs = markRefusal === undefined ? 0 : backOffLeftMs(markRefusal, context.time.monotonic);
  if (markBackOffMs <= 0) {
    draft.patchPod(pod, { key: markKey, body: markPatch(input), why: `${unit.title}: starts the clock` });
  } else {
    draft.wakeIn(markBackOffMs);
  }
};

/** Back to the revision the Pod never left: no image was patched, so there is nothing to undo but the intent. */
const isCancelled = (pod: PodView, open: Marker, goal: Goal): boolean =>
  open.phase === 'Marked' &&
  pod.revision === goal.revision &&
  open.source === goal.revision &&
  Object.keys(open.containers).length === 0;

const patchInput = (context: Context, unit: UnitView, update: PodUpdate): PodPatchInput | undefined => {
  const { catalog, records, time, ownerUID } = context;
  const { pod, open, goal } = update;
  const role = catalog.roles(goal.revision)?.get(pod.role);
  if (role === undefined) return undefined;
  const verdict = unit.verdicts.get(pod.uid)?.state;
  const tampered = verdict === 'unproved';
  const source = tampered || pod.revision === undefined ? undefined : catalog.roles(pod.revision)?.get(pod.role);
  return {
    pod,
    open,
    source,
    target: {
      revision: goal.revision,
      roleTemplateHash: catalog.roleTemplateHash(goal.revision, pod.role),
      role,
    },
    attempt: {
      ownerUID,
      unit: unit.key,
      startedAt: goal.startedAt,
      attempt: (records.get(pod)?.completed ?? 0) + 1,
      now: time.wall,
    },
    known: tampered ? 'nothing' : isKnown(pod, { verdict, source }) ? 'images' : 'uncertain',
  };
};

/** Made or updated for its label, and not edited since; so its containers were made from the images in its spec. */
const isKnown = (
  pod: PodView,
  it: { readonly verdict: string | undefined; readonly source: Role | undefined },
): boolean => {
  if (pod.marker.state === 'valid') return it.verdict === 'complete' || it.verdict === 'not-ready';
  if (pod.createdRevision !== undefined && pod.createdRevision !== pod.revision) return it.verdict === 'complete';
  if ((pod.pod.metadata.generation ?? 0) <= 1) return true;
  if (it.source === undefined) return false;
  return [...imagesOf(it.source, pod.index)].every(([name, image]) => liveImage(pod.pod, name) === image);
};

/** min(60 s, 1 s x 2^(count - 1)) after the latest refusal. */
export const backOffLeftMs = (refusal: Refusal, now: number): number =>
  Math.max(0, refusal.at + Math.min(60_000, 1000 * 2 ** (refusal.count - 1)) - now);
