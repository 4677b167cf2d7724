import { type ControllerRevision, isTerminating, nameOf } from '../objects/index.ts';
import { revisionOf } from './read-revision.ts';

/**
 * Which revisions may go, oldest first.
 *
 * @param revisions  ControllerRevisions of one ModelServing
 * @param inUse      revisions (label values) that something still refers to: status, Pod labels, markers, failures
 * @param limit      how many that are not in use are kept besides (`spec.revisionHistoryLimit`)
 */
export const revisionsToPrune = (
  revisions: readonly ControllerRevision[],
  inUse: ReadonlySet<string>,
  limit: number,
): readonly ControllerRevision[] => {
  const unused = revisions
    .filter((revision) => !isTerminating(revision) && !inUse.has(revisionOf(revision) ?? ''))
    .sort(oldestFirst);
  return unused.slice(0, Math.max(0, unused.length - limit));
};

const oldestFirst = (a: ControllerRevision, b: ControllerRevision): number =>
  a.revision - b.revision ||
  compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
  compareText(nameOf(a), nameOf(b));

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
