import { jsonEqual } from '../objects/index.ts';
import type { RevisionData } from '../revision/index.ts';
import { checkRole, rolePath } from './check-role.ts';
import { checkScheduling } from './check-scheduling.ts';
import { type EligibilityResult, type Reason, sortReasons } from './reason.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';

/**
 * Whether an edit can be applied to a whole ServingGroup by patching the images of its Pods, and if not, every reason
 * why, each with its field path. Omitted and written-out defaults are the same, quantities count by value, nil is
 * empty, the order of Roles does not matter, and neither do replicas and rollout knobs.
 *
 * @param before  what the Pods were made from
 * @param after   what they should become
 *
 * @example
 * ```ts
 * const { reasons, imageChanges } = checkEligibility(live, edited);
 * if (reasons.length === 0) {
 *   for (const { role, container, from, to } of imageChanges) console.log(`${role}/${container}: ${from} -> ${to}`);
 * } else {
 *   for (const { path, message } of reasons) console.log(`${path}: ${message}`);
 * }
 * ```
 */
export const checkEligibility = (before: Snapshot, after: Snapshot): EligibilityResult =>
  compare(before, after, (old, now) => {
    const [oldRoles, newRoles] = [rolesByName(old), rolesByName(now)];
    const common = [...newRoles.keys()].filter((name) => oldRoles.has(name));
    const checks = common.map((name) => checkOneRole(old, now, name));
    return {
      reasons: [
        ...checkRoleNames([...oldRoles.keys()], [...newRoles.keys()]),
        ...checks.flatMap(({ reasons }) => reasons),
      ],
      imageChanges: checks.flatMap(({ imageChanges }) => imageChanges),
    };
  });

/**
 * The same for one Role alone, as Role updates go: other Roles may come, go or change as they like. What belongs to
 * all Roles (scheduler, plugins, gang policy, network topology) counts as before.
 *
 * @example
 * ```ts
 * // prefill gets a new image, decode a new environment variable
 * checkRoleEligibility(live, edited, 'prefill').reasons; // []
 * checkRoleEligibility(live, edited, 'decode').reasons[0]?.path;
 * // 'spec.template.roles[decode].entryTemplate.spec.containers[engine].env[MODE].value'
 * ```
 */
export const checkRoleEligibility = (before: Snapshot, after: Snapshot, roleName: string): EligibilityResult =>
  compare(before, after, (old, now) => checkOneRole(old, now, roleName));

const compare = (
  before: Snapshot,
  after: Snapshot,
  check: (old: RevisionData, now: RevisionData) => EligibilityResult,
): EligibilityResult => {
  const [old, now] = [readSnapshot(before, 'old'), readSnapshot(after, 'new')];
  const unusable = [old, now].flatMap((side) => ('reason' in side ? [side.reason] : []));
  if ('reason' in old || 'reason' in now) return { reasons: unusable, imageChanges: [] };
  const { reasons, imageChanges } = check(old.data, now.data);
  return { reasons: sortReasons([...checkScheduling(old.data, now.data), ...reasons]), imageChanges };
};

const checkOneRole = (before: RevisionData, after: RevisionData, name: string): EligibilityResult => {
  const [old, now] = [rolesByName(before).get(name), rolesByName(after).get(name)];
  if (old !== undefined && now !== undefined) return checkRole(old, now);
  const message =
    old === undefined && now === undefined
      ? `Role ${name} is in neither revision`
      : `Role ${name} is not in the ${old === undefined ? 'old' : 'new'} revision`;
  return { reasons: [{ path: rolePath(name), kind: 'role-names', message }], imageChanges: [] };
};

const checkRoleNames = (before: readonly string[], after: readonly string[]): readonly Reason[] => {
  if (jsonEqual(before, after)) return [];
  const message = `Role names changed from [${before.join(', ')}] to [${after.join(', ')}]`;
  return [{ path: 'spec.template.roles', kind: 'role-names', message }];
};

/** Sorted by name, so that neither reasons nor image changes depend on the order of Roles. */
const rolesByName = (data: RevisionData): ReadonlyMap<string, RevisionData['roles'][number]> =>
  new Map(data.roles.map((role) => [role.name, role] as const).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
