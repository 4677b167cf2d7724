import type { ControllerRevision } from '../../objects/index.ts';
import { controllerOf, isTerminating, nameOf, uidOf } from '../../objects/index.ts';
import { inForcePatch, provedPatch, renumberPatch, revisionOf, revisionsToPrune } from '../../revision/index.ts';
import type { Context } from '../context.ts';
import type { Draft } from '../draft.ts';
import type { Marker } from '../inplace/marker.ts';
import type { InstanceView } from '../observe/fleet.ts';
import type { Testimony } from '../observe/take-over.ts';
import type { Memory } from '../types.ts';

export interface HistoryInput {
  readonly currentRevision: string;
  readonly controllerRevisions: readonly ControllerRevision[];
  /** By revision, for records that are being taken over. */
  readonly testimonies: ReadonlyMap<string, Testimony>;
}

/** The spec asks for a revision that is not on record: nothing is made from it before it is. */
export const recordRevision = (draft: Draft, creation: ControllerRevision, memory: Memory): void => {
  const refusal = memory.refusals.get(`create/controllerrevisions/${nameOf(creation)}`);
  if (refusal !== undefined) {
    const message = `the API server refuses to create ControllerRevision ${nameOf(creation)}, and nothing else is done before it exists: ${refusal.message}; tried again with back-off`;
    draft.wait({ unit: '', reason: 'RevisionRefused', message });
  }
  draft.create('controllerrevisions', creation, 'the spec asks for a new revision');
};

/**
 * Keeps the history. Revisions that nothing refers to go, beyond `revisionHistoryLimit`. One that the spec returns to
 * is numbered as the newest, for history and undo go by the number. What another controller left is given what it does
 * not say itself. And after an edit of the gang policy or the topology alone, the revisions in use are told of it, the
 * update revision last, so that a crash in the middle cannot make an edit that also changes an image look eligible.
 */
export const keepHistory = (context: Context, input: HistoryInput): void => {
  const { draft, settings, catalog } = context;
  const own = input.controllerRevisions.filter((it) => controllerOf(it)?.uid === context.ownerUID);
  const inUse = revisionsInUse(context, input.currentRevision);
  for (const revision of revisionsToPrune(own, inUse, settings.revisionHistoryLimit)) {
    draft.deleteRevision(revision, 'nothing refers to this revision any more');
  }
  for (const revision of own.filter((it) => !isTerminating(it))) {
    const name = revisionOf(revision) ?? '';
    const number = name === catalog.target ? renumberPatch(revision, own) : undefined;
    const scheduling = inUse.has(name) ? schedulingPatch(context, revision, input.testimonies.get(name)) : undefined;
    if (number === undefined && scheduling === undefined) continue;
    draft.patchRevision(revision, {
      body: { ...number, ...scheduling },
      last: name === catalog.target,
      key: `keep/${nameOf(revision)}/${uidOf(revision)}`,
      why: number === undefined ? 'the scheduling in force is noted' : 'the spec returns to this revision',
    });
  }
};

const schedulingPatch = (
  { modelServing, catalog }: Context,
  revision: ControllerRevision,
  testimony: Testimony | undefined,
): object | undefined => {
  if (modelServing.status?.updateRevision === catalog.target) {
    return inForcePatch(revision, modelServing.spec, testimony?.proved);
  }
  // An edit that nobody has acted on yet: only what the Pods themselves show may be written.
  return testimony?.proved !== undefined && testimony.noGang ? provedPatch(revision, testimony.proved) : undefined;
};

/** What the status, a Pod's labels, an open marker or a failure refers to. */
const revisionsInUse = (context: Context, currentRevision: string): ReadonlySet<string> => {
  const { catalog, modelServing, fleet, records } = context;
  const inUse = new Set([catalog.target, currentRevision]);
  for (const revision of [modelServing.status?.currentRevision, modelServing.status?.updateRevision]) {
    if (revision !== undefined) inUse.add(revision);
  }
  for (const { revision } of records.failures()) inUse.add(revision);
  for (const instance of fleet.instances.values()) {
    const { labels, markers, latestAttempt } = namedBy(instance);
    for (const revision of labels) inUse.add(revision);
    if (latestAttempt === undefined) continue;
    const completed = records.get(instance)?.completed ?? 0;
    if (latestAttempt <= completed) continue;
    for (const { attempt, source, target, superseded } of markers) {
      if (attempt <= completed) continue;
      for (const revision of [source, target, ...superseded]) inUse.add(revision);
    }
  }
  return inUse;
};

/** What the Pods of one instance name. */
interface Named {
  /** Revisions in labels, and where no marker tells the story, those that Pods were created from. */
  readonly labels: ReadonlySet<string>;
  readonly markers: readonly Marker[];
  /** The highest in a marker. */
  readonly latestAttempt: number | undefined;
}

/** An instance of the same Pods is the same object, so it is searched once. */
const named = new WeakMap<InstanceView, Named>();

const namedBy = (instance: InstanceView): Named => {
  const known = named.get(instance);
  if (known !== undefined) return known;
  const { pods } = instance;
  const labels = new Set<string>();
  for (const { revision, createdRevision, marker } of pods) {
    if (revision !== undefined) labels.add(revision);
    if (createdRevision !== undefined && marker.state !== 'valid') labels.add(createdRevision);
  }
  const markers = pods.flatMap(({ marker }) => (marker.state === 'valid' ? [marker.marker] : []));
  const attempts = markers.map(({ attempt }) => attempt);
  const found = { labels, markers, latestAttempt: attempts.length === 0 ? undefined : Math.max(...attempts) };
  named.set(instance, found);
  return found;
};
