import type { ModelServing, Role } from '../../api/index.ts';
import { checkEligibility, checkRoleEligibility, type EligibilityResult } from '../../eligibility/index.ts';
import { type ControllerRevision, controllerOf, nameOf, uidOf } from '../../objects/index.ts';
import {
  buildRevision,
  compareRevisions,
  findEqualRevision,
  isSameRevisionObject,
  type RevisionData,
  readRevision,
  restoreRoles,
  revisionDataOf,
  revisionOf,
  roleTemplateHash,
  sameRole,
} from '../../revision/index.ts';
import type { Catalog } from './catalog.ts';

export interface CatalogReading {
  readonly catalog: Catalog;
  /** The ControllerRevision to create first, where the spec asks for a revision that none records. */
  readonly creation: ControllerRevision | undefined;
  /** For the status; goes up where the name of the new revision is taken by another. */
  readonly collisionCount: number | undefined;
}

/**
 * The revisions of a ModelServing: those on record, and the one its spec asks for. An equal one on record, whoever
 * wrote it, is the one, and its name is kept.
 */
export const buildCatalog = (ms: ModelServing, all: readonly ControllerRevision[]): CatalogReading => {
  const own = all.filter((revision) => controllerOf(revision)?.uid === uidOf(ms));
  const wanted = revisionDataOf(ms.spec);
  const preferred = [ms.status?.updateRevision, ms.status?.currentRevision].filter((it) => it !== undefined);
  const equal = findEqualRevision(own, wanted, preferred);
  const { creation, collisionCount } =
    equal === undefined ? newRevision(ms, all) : { creation: undefined, collisionCount: ms.status?.collisionCount };
  const target = revisionOf(equal ?? creation ?? neverEmpty(ms)) ?? '';
  const data = new Map<string, RevisionData>();
  for (const revision of own) {
    const name = revisionOf(revision);
    const reading = readRevision(revision);
    if (name !== undefined && reading.state === 'readable') data.set(name, reading.data);
  }
  // The spec says more than its record may: the gang policy and the topology that are asked for now.
  data.set(target, wanted);
  return { catalog: catalogOf(ms, target, data), creation, collisionCount };
};

const neverEmpty = (ms: ModelServing): never => {
  throw new TypeError(`ModelServing ${nameOf(ms)} has neither an equal revision nor a new one`);
};

const newRevision = (
  ms: ModelServing,
  all: readonly ControllerRevision[],
): { readonly creation: ControllerRevision; readonly collisionCount: number | undefined } => {
  const byName = new Map(all.map((revision) => [nameOf(revision), revision]));
  for (let count = ms.status?.collisionCount; ; count = (count ?? 0) + 1) {
    const creation = buildRevision({ ...ms, status: { ...ms.status, collisionCount: count } }, all);
    const found = byName.get(nameOf(creation));
    if (found === undefined || isSameRevisionObject(found, creation)) return { creation, collisionCount: count };
  }
};

const catalogOf = (ms: ModelServing, target: string, data: ReadonlyMap<string, RevisionData>): Catalog => {
  const roles = new Map<string, ReadonlyMap<string, Role>>();
  const results = new Map<string, EligibilityResult>();
  const same = new Map<string, boolean>();
  const rolesOf = (revision: string): ReadonlyMap<string, Role> | undefined => {
    const known = roles.get(revision);
    const found = data.get(revision);
    if (known !== undefined || found === undefined) return known;
    const names = new Set(found.roles.map(({ name }) => name));
    const restored = restoreRoles(found, ms.spec.template.roles).filter(({ name }) => names.has(name));
    const byName = new Map(restored.map((role) => [role.name, role]));
    roles.set(revision, byName);
    return byName;
  };
  return {
    target,
    roles: rolesOf,
    schedulerName: (revision) => {
      const name = data.get(revision)?.schedulerName;
      return name === undefined || name.state === 'silent' ? undefined : name.value;
    },
    plugins: (revision) => {
      const plugins = data.get(revision)?.plugins;
      return plugins === undefined || plugins.state === 'silent' ? (ms.spec.plugins ?? []) : plugins.value;
    },
    roleTemplateHash: (revision, role) => {
      const found = data.get(revision)?.roles.find(({ name }) => name === role);
      return found === undefined ? undefined : roleTemplateHash(found);
    },
    same: (a, b) =>
      a === b ||
      memoise(same, `${a} ${b}`, () => {
        const [left, right] = [data.get(a), data.get(b)];
        return left !== undefined && right !== undefined && compareRevisions(left, right) === 'same';
      }),
    sameRole: (a, b, role) =>
      a === b ||
      memoise(same, `${a} ${b} ${role}`, () => {
        const [left, right] = [a, b].map((it) => data.get(it)?.roles.find(({ name }) => name === role));
        return left !== undefined && right !== undefined && sameRole(left, right);
      }),
    eligibility: (from, to, role) =>
      memoise(results, `${from} ${to} ${role ?? ''}`, () => {
        const [old, next] = [data.get(from), data.get(to)];
        return role === undefined ? checkEligibility(old, next) : checkRoleEligibility(old, next, role);
      }),
  };
};

const memoise = <T>(memory: Map<string, T>, key: string, compute: () => T): T => {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const value = compute();
  memory.set(key, value);
  return value;
};
