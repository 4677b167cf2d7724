import type { ModelServing } from '../api/index.ts';
import { controllerOf, fnv1, isTerminating, nameOf, type ObjectRef, refOf, uidOf } from '../objects/index.ts';
import { desiredModelServing } from './desired-model-serving.ts';
import { ignoredFields } from './ignored-fields.ts';
import type { LeaderWorkerSet } from './leader-worker-set.ts';
import { lwsStatusPatch } from './lws-status.ts';
import { modelServingPatch } from './model-serving-patch.ts';

export interface LwsInput {
  readonly leaderWorkerSet: LeaderWorkerSet;
  /** The ModelServing of its name, whoever owns it. */
  readonly modelServing: ModelServing | undefined;
}

/** The one write that comes next. Patches are JSON merge patches that carry the resourceVersion. */
export type LwsWrite =
  | { readonly kind: 'create'; readonly object: ModelServing }
  | { readonly kind: 'patch'; readonly ref: ObjectRef; readonly body: object }
  | { readonly kind: 'status'; readonly ref: ObjectRef; readonly body: object };

/** A Warning on the LeaderWorkerSet. The name is deterministic, so an event sent twice exists once. */
export interface LwsEvent {
  readonly name: string;
  readonly reason: string;
  readonly message: string;
}

export interface LwsDecision {
  readonly write: LwsWrite | undefined;
  readonly events: readonly LwsEvent[];
}

/**
 * What to do next for one LeaderWorkerSet: its ModelServing is made, brought to what it says, and tells it how it is
 * doing. A pure function, as `decide` of the rollout; nothing is written where nothing differs, and a ModelServing that
 * it does not control is never touched.
 */
export const decideLws = ({ leaderWorkerSet: lws, modelServing }: LwsInput): LwsDecision => {
  if (isTerminating(lws)) return { write: undefined, events: [] };
  if (modelServing !== undefined && controllerOf(modelServing)?.uid !== uidOf(lws)) {
    const message = `ModelServing ${nameOf(lws)} exists and is not controlled by this LeaderWorkerSet; nothing is done until it is gone or one of them has another name`;
    return { write: undefined, events: [lwsEvent(lws, 'NameTaken', message)] };
  }
  const ignored = ignoredFields(lws);
  const message = `a ModelServing is not given these fields, they have no effect: ${ignored.join(', ')}`;
  const events = ignored.length === 0 ? [] : [lwsEvent(lws, 'FieldsIgnored', message)];
  return { write: nextWrite(lws, modelServing), events };
};

const nextWrite = (lws: LeaderWorkerSet, live: ModelServing | undefined): LwsWrite | undefined => {
  if (live === undefined) return { kind: 'create', object: desiredModelServing(lws) };
  if (isTerminating(live)) return undefined;
  const body = modelServingPatch(live, lws);
  if (body !== undefined) return { kind: 'patch', ref: refOf(live), body };
  const status = lwsStatusPatch(lws, live);
  return status === undefined ? undefined : { kind: 'status', ref: refOf(lws), body: status };
};

export const lwsEvent = (lws: LeaderWorkerSet, reason: string, message: string): LwsEvent => {
  const text = new TextEncoder().encode([uidOf(lws), reason, message].join('\n'));
  const hex = (value: number): string => value.toString(16).padStart(8, '0');
  return { name: `${nameOf(lws)}.${hex(fnv1(text))}${hex(fnv1(text.toReversed()))}`, reason, message };
};
