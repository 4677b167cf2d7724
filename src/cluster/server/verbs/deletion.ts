import type { StoredObject } from '../../server-types.ts';
import { secondsTime, withMetadata } from '../kinds/metadata.ts';
import type { Strategy } from '../kinds/strategy.ts';
import type { DeleteOptions } from './delete-options.ts';

/** What a DELETE does to an object. */
export type Deletion =
  /** Nothing new: it is being deleted already. */
  | { readonly step: 'pending' }
  /** It stays, marked, until its node or its finalizers let go. */
  | { readonly step: 'mark'; readonly object: StoredObject }
  /** It goes now; `marked` is a last state that watchers see first. */
  | { readonly step: 'remove'; readonly marked?: StoredObject };

/** Decides a deletion (registry/rest BeforeDelete and the store's handling of finalizers). `nowMs` is wall time. */
export const planDeletion = (
  strategy: Strategy,
  object: StoredObject,
  options: DeleteOptions,
  nowMs: number,
): Deletion => {
  if (strategy.deferDeletion !== undefined) {
    if (object.metadata.deletionTimestamp !== undefined) return { step: 'pending' };
    return { step: 'mark', object: strategy.deferDeletion(object, nowMs) };
  }
  const graceful = strategy.gracePeriodOf !== undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  if (graceful && deletionTimestamp !== undefined && deletionGracePeriodSeconds !== undefined) {
    const shorter = options.gracePeriodSeconds;
    if (shorter === undefined || shorter >= deletionGracePeriodSeconds) return { step: 'pending' };
    const startMs = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
    return finish(withMetadata(object, { ...graceOf(startMs, shorter) }), shorter);
  }
  const finalizers = finalizersFor(object, options);
  const kept = finalizers === undefined ? object : withMetadata(object, { finalizers: orAbsent(finalizers) });
  if (strategy.gracePeriodOf !== undefined && deletionTimestamp === undefined) {
    const seconds = strategy.gracePeriodOf(object, options.gracePeriodSeconds);
    return finish(withMetadata(kept, { ...graceOf(nowMs, seconds), generation: raised(object) }), seconds);
  }
  if ((kept.metadata.finalizers ?? []).length === 0) return { step: 'remove' };
  const marked = withMetadata(kept, {
    deletionTimestamp: deletionTimestamp ?? secondsTime(nowMs),
    deletionGracePeriodSeconds: 0,
    generation: deletionTimestamp === undefined ? raised(object) : object.metadata.generation,
  });
  return { step: 'mark', object: marked };
};

const finish = (object: StoredObject, graceSeconds: number): Deletion =>
  graceSeconds > 0 || (object.metadata.finalizers ?? []).length > 0
    ? { step: 'mark', object }
    : { step: 'remove', marked: object };

const graceOf = (
  fromMs: number,
  seconds: number,
): { deletionTimestamp: string; deletionGracePeriodSeconds: number } => ({
  deletionTimestamp: secondsTime(fromMs + seconds * 1000),
  deletionGracePeriodSeconds: seconds,
});

const raised = ({ metadata }: StoredObject): number | undefined =>
  metadata.generation === undefined ? undefined : metadata.generation + 1;

/** The finalizers that the propagation policy adds or takes away; undefined where they stay as they are. */
const finalizersFor = (object: StoredObject, options: DeleteOptions): readonly string[] | undefined => {
  const present = object.metadata.finalizers ?? [];
  const policy = options.propagationPolicy;
  const orphan = policy === undefined ? present.includes('orphan') : policy === 'Orphan';
  const foreground = policy === undefined ? present.includes('foregroundDeletion') : policy === 'Foreground';
  if (orphan === present.includes('orphan') && foreground === present.includes('foregroundDeletion')) return undefined;
  return [
    ...present.filter((name) => name !== 'orphan' && name !== 'foregroundDeletion'),
    ...(orphan ? ['orphan'] : []),
    ...(foreground ? ['foregroundDeletion'] : []),
  ];
};

const orAbsent = (finalizers: readonly string[]): readonly string[] | undefined =>
  finalizers.length === 0 ? undefined : finalizers;
