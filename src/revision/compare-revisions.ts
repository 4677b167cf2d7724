import type { ControllerRevision } from '../objects/index.ts';
import { isTerminating, jsonEqual } from '../objects/index.ts';
import { pluginsMeaning, roleMeaning, schedulerMeaning } from './meaning.ts';
import { readRevision, revisionOf } from './read-revision.ts';
import type { Recorded, RevisionData, RevisionRole } from './revision-data.ts';

/** `same-as-far-as-recorded`: nothing differs, but one of the two does not say everything. */
export type RevisionRelation = 'same' | 'same-as-far-as-recorded' | 'different';

/**
 * Whether two revisions mean the same: the same Roles in any order, the same scheduler, the same plugins; omitted and
 * written-out defaults are the same, quantities count by value, nil is empty. gangPolicy and networkTopology do not
 * count: they are no part of a revision.
 */
export const compareRevisions = (a: RevisionData, b: RevisionData): RevisionRelation => {
  if (!sameRoles(a.roles, b.roles)) return 'different';
  const fields = [
    compareRecorded(a.schedulerName, b.schedulerName, schedulerMeaning),
    compareRecorded(a.plugins, b.plugins, pluginsMeaning),
  ];
  if (fields.includes('different')) return 'different';
  return fields.includes('same-as-far-as-recorded') ? 'same-as-far-as-recorded' : 'same';
};

/** Whether two Roles make the same Pods. Their replicas and rollout knobs do not count. */
export const sameRole = (a: RevisionRole, b: RevisionRole): boolean => jsonEqual(roleMeaning(a), roleMeaning(b));

/**
 * The existing revision that is the wanted one, whoever wrote it, in whichever layout; undefined where there is none.
 * Its name is kept, so that taking over from another controller, or an upgrade of this one, rolls nothing.
 *
 * @param revisions  ControllerRevisions of one ModelServing; terminating ones do not count
 * @param wanted     the revision that the spec asks for
 * @param preferred  revisions (label values) to prefer among equals, best first: the ones that status names
 *
 * One that is the same goes before one that does not say everything; after `preferred` the newest wins.
 */
export const findEqualRevision = (
  revisions: readonly ControllerRevision[],
  wanted: RevisionData,
  preferred: readonly string[] = [],
): ControllerRevision | undefined => {
  const rank = (revision: ControllerRevision): number => {
    const index = preferred.indexOf(revisionOf(revision) ?? '');
    return index === -1 ? preferred.length : index;
  };
  const candidates = revisions
    .filter((revision) => !isTerminating(revision) && revisionOf(revision) !== undefined)
    .map((revision) => ({ revision, relation: relationTo(revision, wanted) }))
    .filter(({ relation }) => relation !== 'different')
    .sort(
      (a, b) =>
        Number(b.relation === 'same') - Number(a.relation === 'same') ||
        rank(a.revision) - rank(b.revision) ||
        b.revision.revision - a.revision.revision,
    );
  return candidates[0]?.revision;
};

const relationTo = (revision: ControllerRevision, wanted: RevisionData): RevisionRelation => {
  const reading = readRevision(revision);
  return reading.state === 'readable' ? compareRevisions(reading.data, wanted) : 'different';
};

const sameRoles = (a: readonly RevisionRole[], b: readonly RevisionRole[]): boolean => {
  const other = new Map(b.map((role) => [role.name, role]));
  return (
    a.length === b.length &&
    a.every((role) => {
      const match = other.get(role.name);
      return match !== undefined && sameRole(role, match);
    })
  );
};

const compareRecorded = <T>(a: Recorded<T>, b: Recorded<T>, meaning: (value: T) => unknown): RevisionRelation => {
  if (a.state === 'silent' || b.state === 'silent') return 'same-as-far-as-recorded';
  return jsonEqual(meaning(a.value), meaning(b.value)) ? 'same' : 'different';
};
