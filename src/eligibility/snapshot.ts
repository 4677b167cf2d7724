import type { ModelServing, ModelServingSpec } from '../api/index.ts';
import type { ControllerRevision } from '../objects/index.ts';
import { type RevisionData, readRevision, revisionDataOf } from '../revision/index.ts';
import type { Reason } from './reason.ts';

/**
 * One side of a comparison: a ModelServing or its spec, a ControllerRevision of either layout, or what was read from
 * one. Undefined: the history does not have it.
 */
export type Snapshot = ModelServing | ModelServingSpec | ControllerRevision | RevisionData | undefined;

/** What a snapshot says, or the reason why it says nothing. */
export const readSnapshot = (
  snapshot: Snapshot,
  side: 'old' | 'new',
): { readonly data: RevisionData } | { readonly reason: Reason } => {
  if (snapshot === undefined) {
    const message = `the ${side} revision is missing in the history, so nobody can tell what changed`;
    return { reason: { path: 'history', kind: 'history-missing', message } };
  }
  if ('spec' in snapshot) return { data: revisionDataOf(snapshot.spec) };
  if ('template' in snapshot) return { data: revisionDataOf(snapshot) };
  if ('roles' in snapshot) return { data: snapshot };
  const reading = readRevision(snapshot);
  if (reading.state === 'readable') return { data: reading.data };
  const message = `the ${side} revision in the history cannot be read: ${reading.why}`;
  return { reason: { path: 'history', kind: 'history-unreadable', message } };
};
