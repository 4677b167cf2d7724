import type { ModelServing, Role } from '../../api/index.ts';
import { checkEligibility, checkRoleEligibility, type EligibilityResult } from '../../eligibility/index.ts';
import { type ControllerRevision, controllerOf, nameOf, uidOf } from '../../objects/index.ts';
import { builtinPlugins, type PluginRegistry } from '../../plugins/index.ts';
import {
  buildRevision,
  compareRevisions,
  findEqualRevision,
  isSameRevisionObject,
  type RevisionData,
  readRevision,
  recorded,
  restoreRoles,
  revisionDataOf,
  revisionOf,
  roleTemplateHash,
  sameRole,
} from '../../revision/index.ts';
import { isHeldByStranger } from '../refusal.ts';
import type { Memory } from '../types.ts';
import type { Catalog } from './catalog.ts';
import type { Fleet } from './fleet.ts';
import { type Testimony, takeOver, unrecordedName } from './take-over.ts';

export interface CatalogReading {
  readonly catalog: Catalog;
  /** The ControllerRevision to create first, where the spec asks for a revision that none records. */
  readonly creation: ControllerRevision | undefined;
  /** For the status; goes up where the name of the new revision is taken by another. */
  readonly collisionCount: number | undefined;
  /** For the history: what the Pods tell about records that are being taken over. */
  readonly testimonies: ReadonlyMap<string, Testimony>;
}

export interface CatalogInput {
  readonly modelServing: ModelServing;
  /** Those it owns, and whatever else carries its name. */
  readonly controllerRevisions: readonly ControllerRevision[];
  readonly fleet: Fleet;
  readonly memory: Memory;
  readonly plugins?: PluginRegistry | undefined;
}

/**
 * The revisions of a ModelServing: those on record, and the one its spec asks for. An equal one on record, whoever
 * wrote it, is the one, and its name is kept.
 */
export const buildCatalog = ({
  modelServing: ms,
  controllerRevisions: all,
  fleet,
  memory,
  plugins: registry = builtinPlugins,
}: CatalogInput): CatalogReading => {
  const own = all.filter((revision) => controllerOf(revision)?.uid === uidOf(ms));
  const wanted = revisionDataOf(ms.spec);
  const preferred = [ms.status?.updateRevision, ms.status?.currentRevision].filter((it) => it !== undefined);
  const equal = findEqualRevision(own, wanted, preferred);
  const { creation, collisionCount } =
    equal === undefined
      ? newRevision(ms, { all, memory, unrecorded: unrecordedName(all, { modelServing: ms, fleet, registry }) })
      : { creation: undefined, collisionCount: ms.status?.collisionCount };
  const target = revisionOf(equal ?? creation ?? neverEmpty(ms)) ?? '';
  const testimonies = takeOver(own, { modelServing: ms, fleet, registry });
  // The target stands first, then the newest.
  const data = new Map<string, RevisionData>([[target, wanted]]);
  for (const revision of own.toSorted((a, b) => b.revision - a.revision)) {
    const name = revisionOf(revision);
    const reading = readRevision(revision);
    if (name !== undefined && reading.state === 'readable') data.set(name, told(reading.data, testimonies.get(name)));
  }
  // The spec says more than its record may: the gang policy and the topology that are asked for now.
  data.set(target, wanted);
  return { catalog: catalogOf(ms, target, data), creation, collisionCount, testimonies };
};

/** A record with what its Pods tell where it is silent itself. */
const told = (data: RevisionData, testimony: Testimony | undefined): RevisionData => {
  if (testimony === undefined) return data;
  const { proved, noGang } = testimony;
  return {
    ...data,
    ...(proved === undefined
      ? {}
      : { schedulerName: recorded(proved.schedulerName), plugins: recorded(proved.plugins) }),
    ...(noGang ? { gangPolicy: recorded(undefined), networkTopology: recorded(undefined) } : {}),
  };
};

const neverEmpty = (ms: ModelServing): never => {
  throw new TypeError(`ModelServing ${nameOf(ms)} has neither an equal revision nor a new one`);
};

interface NewRevisionInput {
  readonly all: readonly ControllerRevision[];
  readonly memory: Memory;
  /** The name it has already; tried first. */
  readonly unrecorded: string | undefined;
}

const newRevision = (
  ms: ModelServing,
  { all, memory, unrecorded }: NewRevisionInput,
): { readonly creation: ControllerRevision; readonly collisionCount: number | undefined } => {
  const byName = new Map(all.map((revision) => [nameOf(revision), revision]));
  const isFree = (creation: ControllerRevision): boolean => {
    const found = byName.get(nameOf(creation));
    if (found !== undefined) return isSameRevisionObject(found, creation);
    return !isHeldByStranger(memory, `create/controllerrevisions/${nameOf(creation)}`);
  };
  const named = unrecorded === undefined ? undefined : buildRevision(ms, all, unrecorded);
  if (named !== undefined && isFree(named)) return { creation: named, collisionCount: ms.status?.collisionCount };
  for (let count = ms.status?.collisionCount; ; count = (count ?? 0) + 1) {
    const creation = buildRevision({ ...ms, status: { ...ms.status, collisionCount: count } }, all);
    if (isFree(creation)) return { creation, collisionCount: count };
  }
};

const catalogOf = (ms: ModelServing, target: string, data: ReadonlyMap<string, RevisionData>): Catalog => {
  const roles = new Map<string, ReadonlyMap<string, Role>>();
  const results = new Map<string, EligibilityResult>();
  const same = new Map<string, boolean>();
  const hashes = new Map<string, string | undefined>();
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
    known: [...data.keys()],
    roles: rolesOf,
    schedulerName: (revision) => {
      const name = data.get(revision)?.schedulerName;
      return name === undefined || name.state === 'silent' ? undefined : name.value;
    },
    plugins: (revision) => {
      const plugins = data.get(revision)?.plugins;
      return plugins === undefined || plugins.state === 'silent' ? (ms.spec.plugins ?? []) : plugins.value;
    },
    roleTemplateHash: (revision, role) =>
      memoise(hashes, `${revision} ${role}`, () => {
        const found = data.get(revision)?.roles.find(({ name }) => name === role);
        return found === undefined ? undefined : roleTemplateHash(found);
      }),
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
