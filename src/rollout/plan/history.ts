import type { ControllerRevision } from '../../objects/index.ts';
import { controllerOf, nameOf, uidOf } from '../../objects/index.ts';
import { inForcePatch, revisionOf, revisionsToPrune } from '../../revision/index.ts';
import type { Context } from '../context.ts';

export interface HistoryInput {
  readonly currentRevision: string;
  readonly controllerRevisions: readonly ControllerRevision[];
}

/**
 * Keeps the history: revisions that nothing refers to go, beyond `revisionHistoryLimit`; and after an edit of the gang
 * policy or the topology alone, the revisions in use are told of it, the update revision last, so that a crash in the
 * middle cannot make an edit that also changes an image look eligible.
 */
export const keepHistory = (context: Context, input: HistoryInput): void => {
  const { draft, settings, catalog, modelServing } = context;
  const own = input.controllerRevisions.filter((it) => controllerOf(it)?.uid === context.ownerUID);
  const inUse = revisionsInUse(context, input.currentRevision);
  for (const revision of revisionsToPrune(own, inUse, settings.revisionHistoryLimit)) {
    draft.deleteRevision(revision, 'nothing refers to this revision any more');
  }
  if (modelServing.status?.updateRevision !== catalog.target) return;
  for (const revision of own) {
    const name = revisionOf(revision) ?? '';
    if (!inUse.has(name)) continue;
    const body = inForcePatch(revision, modelServing.spec);
    if (body === undefined) continue;
    draft.patchRevision(revision, {
      body,
      last: name === catalog.target,
      key: `in-force/${nameOf(revision)}/${uidOf(revision)}`,
      why: 'gang policy or topology changed',
    });
  }
};

/** What the status, a Pod's labels, an open marker or a failure refers to. */
const revisionsInUse = (context: Context, currentRevision: string): ReadonlySet<string> => {
  const { catalog, modelServing, fleet, records } = context;
  const inUse = new Set([catalog.target, currentRevision]);
  for (const revision of [modelServing.status?.currentRevision, modelServing.status?.updateRevision]) {
    if (revision !== undefined) inUse.add(revision);
  }
  for (const { revision } of records.failures()) inUse.add(revision);
  for (const { pods } of fleet.instances.values()) {
    for (const pod of pods) {
      if (pod.revision !== undefined) inUse.add(pod.revision);
      if (pod.createdRevision !== undefined && pod.marker.state !== 'valid') inUse.add(pod.createdRevision);
      if (pod.marker.state !== 'valid') continue;
      const { marker } = pod.marker;
      if (marker.attempt <= (records.get(pod)?.completed ?? 0)) continue;
      for (const revision of [marker.source, marker.target, ...marker.superseded]) inUse.add(revision);
    }
  }
  return inUse;
};
