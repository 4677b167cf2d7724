import { groupName, type ModelServing, type Role, type RoleInstanceIdentity, roleId } from '../../api/index.ts';
import { nameOf } from '../../objects/index.ts';
import { planOrdinals } from '../plan/ordinals.ts';
import { removalOrder } from '../plan/removal-order.ts';
import { attemptOf } from './attempt.ts';
import type { Catalog } from './catalog.ts';
import { type Fleet, type InstanceView, instanceKey } from './fleet.ts';
import type { Records } from './records.ts';
import type { Settings } from './settings.ts';

/**
 * What is updated together: a ServingGroup, or under RoleRollingUpdate one role instance. Everything about budget,
 * order, deadline and recovery of an update speaks of units.
 */
export interface Unit {
  /** `<ms>-3`, or `<ms>-3/decode-0`. */
  readonly key: string;
  /** For people: `group 3`, or `group 3 decode-0`. */
  readonly title: string;
  readonly group: number;
  /** Set under RoleRollingUpdate. */
  readonly roleInstance: RoleInstanceIdentity | undefined;
  /** Units of one pool share a budget: all groups, or the instances of one Role of one group. */
  readonly pool: string;
  /** Position in the pool's final set, in ordinal order; the partition protects the first ones. */
  readonly rank: number;
  /** Instances that should exist, whether they do or not. */
  readonly instances: readonly InstanceView[];
}

/** The final set: what stays and what will be created, and what goes. */
export interface UnitPlan {
  readonly units: readonly Unit[];
  /** Instances to remove for good (scaled down, Role gone), first victim first. */
  readonly removals: readonly InstanceView[];
  /** Ordinals of the ServingGroups of the final set. */
  readonly groups: readonly number[];
}

export interface PlanUnitsInput {
  readonly modelServing: ModelServing;
  readonly settings: Settings;
  readonly catalog: Catalog;
  readonly fleet: Fleet;
  readonly records: Records;
}

/** How many units beyond those wanted a pool has for now, by pool. */
export type Surge = ReadonlyMap<string, number>;

export const noSurge: Surge = new Map();

export const planUnits = (input: PlanUnitsInput, surge: Surge = noSurge): UnitPlan => {
  const { modelServing: ms, settings, records } = input;
  const existing = groupInstances(input);
  const isLeaving = (ordinal: number): boolean => existing.get(ordinal)?.every((it) => records.isLeaving(it)) === true;
  const staying = [...existing.keys()].filter((ordinal) => !isLeaving(ordinal));
  const leaving = [...existing.keys()].filter(isLeaving);
  const want = settings.replicas + (surge.get('') ?? 0);
  const removal =
    staying.length <= want
      ? []
      : removalOrder(
          staying.map((ordinal) => ({ ordinal, pods: (existing.get(ordinal) ?? []).flatMap((it) => it.pods) })),
          settings.groups.partition,
        );
  const groups = planOrdinals({ staying, leaving, want, removal });
  const final = [...groups.keep, ...groups.create].sort((a, b) => a - b);
  const wanted = new Set(final);
  // Victims first, in their order; then what was on its way out before.
  const gone = [
    ...groups.remove,
    ...[...existing.keys()].filter((it) => !wanted.has(it) && !groups.remove.includes(it)),
  ];
  const removals = gone.flatMap((ordinal) => existing.get(ordinal) ?? []);
  const units: Unit[] = [];
  final.forEach((group, rank) => {
    const plan = planGroup(input, { group, existing: existing.get(group) ?? [], surge });
    removals.push(...plan.remove);
    if (settings.type === 'ServingGroupRollingUpdate') {
      const key = groupName(nameOf(ms), group);
      units.push({
        key,
        title: `group ${group}`,
        group,
        roleInstance: undefined,
        pool: '',
        rank,
        instances: plan.instances,
      });
    } else {
      units.push(...roleUnits(input, { group, instances: plan.instances }));
    }
  });
  return { units, removals, groups: final };
};

/** Every group of which a Pod, a Service or a record exists, with its instances. */
const groupInstances = ({ fleet, records }: PlanUnitsInput): ReadonlyMap<number, readonly InstanceView[]> => {
  const groups = new Map<number, InstanceView[]>();
  const add = (instance: InstanceView): void => {
    const siblings = groups.get(instance.group);
    if (siblings === undefined) groups.set(instance.group, [instance]);
    else siblings.push(instance);
  };
  for (const instance of fleet.instances.values()) {
    if (instance.pods.length > 0 || records.has(instance)) add(instance);
  }
  for (const record of records.all()) {
    if (!fleet.instances.has(instanceKey(record))) add(emptyInstance(record));
  }
  return groups;
};

const emptyInstance = (id: RoleInstanceIdentity): InstanceView => ({
  group: id.group,
  role: id.role,
  instance: id.instance,
  instanceKey: instanceKey(id),
  pods: [],
  service: undefined,
  latestAttempt: undefined,
});

interface GroupPlan {
  readonly instances: readonly InstanceView[];
  readonly remove: readonly InstanceView[];
}

/** Which role instances a group should have: Roles of its own revision, replicas always of the spec. */
const planGroup = (
  input: PlanUnitsInput,
  it: { readonly group: number; readonly existing: readonly InstanceView[]; readonly surge: Surge },
): GroupPlan => {
  const instances: InstanceView[] = [];
  const remove: InstanceView[] = [];
  const roles = rolesOfGroup(input, it.existing);
  for (const role of roles.values()) {
    const own = it.existing.filter((instance) => instance.role === role.name);
    const plan = planRole(input, {
      group: it.group,
      role,
      own,
      extra: it.surge.get(poolKey(it.group, role.name)) ?? 0,
    });
    instances.push(...plan.instances);
    remove.push(...plan.remove);
  }
  remove.push(...it.existing.filter(({ role }) => !roles.has(role)));
  return { instances, remove };
};

interface RolePlanInput {
  readonly group: number;
  readonly role: Role;
  /** What exists of the Role in this group. */
  readonly own: readonly InstanceView[];
  /** Wanted beyond the replicas of the spec. */
  readonly extra: number;
}

const planRole = (
  { modelServing, settings, records, fleet }: PlanUnitsInput,
  { group, role, own, extra }: RolePlanInput,
): GroupPlan => {
  const staying = own.some(records.isLeaving) ? own.filter((instance) => !records.isLeaving(instance)) : own;
  const want = wantedInstances(modelServing, role, staying.length) + extra;
  // The usual case: nothing comes, nothing goes.
  if (staying === own && own.length === want)
    return { instances: own.length > 1 ? own.toSorted(byOrdinal) : own, remove: [] };
  const removal = removalOrder(
    staying.map(({ instance, pods }) => ({ ordinal: instance, pods })),
    // Under updates by group the partition is about groups alone.
    settings.type === 'RoleRollingUpdate' ? (settings.roles.get(role.name)?.partition ?? 0) : 0,
  );
  const plan = planOrdinals({
    staying: staying.map(({ instance }) => instance),
    leaving: own.filter((instance) => !staying.includes(instance)).map(({ instance }) => instance),
    want,
    removal,
  });
  const wanted = [...plan.keep, ...plan.create].sort((a, b) => a - b);
  return {
    instances: wanted.map((instance) => instanceIn(fleet, { group, role: role.name, instance })),
    remove: own.filter(({ instance }) => !wanted.includes(instance)),
  };
};

const byOrdinal = (a: InstanceView, b: InstanceView): number => a.instance - b.instance;

/** An instance of which only the Service may exist. */
const instanceIn = (fleet: Fleet, id: RoleInstanceIdentity): InstanceView =>
  fleet.instances.get(instanceKey(id)) ?? emptyInstance(id);

/** A Role that the spec no longer has keeps the instances it has (at least one): its group is on an older revision. */
const wantedInstances = (ms: ModelServing, role: Role, staying: number): number => {
  const wanted = ms.spec.template.roles.find(({ name }) => name === role.name);
  return wanted === undefined ? Math.max(1, staying) : (wanted.replicas ?? 1);
};

const rolesOfGroup = (
  { catalog, settings, records }: PlanUnitsInput,
  existing: readonly InstanceView[],
): ReadonlyMap<string, Role> => {
  const target = catalog.roles(catalog.target) ?? new Map<string, Role>();
  if (settings.type === 'RoleRollingUpdate') return target;
  const staying = existing.some(records.isLeaving) ? existing.filter((it) => !records.isLeaving(it)) : existing;
  const revision = attemptOf(staying, records)?.target ?? labelledRevision(staying);
  return (revision === undefined ? undefined : catalog.roles(revision)) ?? target;
};

/** The revision most of the Pods are labelled with; the smaller name where two are equal, so that it never wavers. */
export const labelledRevision = (instances: readonly InstanceView[]): string | undefined => {
  let common: string | undefined;
  for (const { pods } of instances) {
    for (const { revision } of pods) {
      common ??= revision;
      if (revision !== undefined && revision !== common) return mostFrequentRevision(instances);
    }
  }
  return common;
};

const mostFrequentRevision = (instances: readonly InstanceView[]): string | undefined => {
  const counts = new Map<string, number>();
  for (const { pods } of instances) {
    for (const { revision, terminating } of pods) {
      if (revision !== undefined) counts.set(revision, (counts.get(revision) ?? 0) + (terminating ? 0.001 : 1));
    }
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0];
};

/** Names the pool of one Role of one group; the pool of all groups is the empty string. */
const poolKey = (group: number, role: string): string => `${group}/${role}`;

const roleUnits = (
  { modelServing: ms }: PlanUnitsInput,
  it: { readonly group: number; readonly instances: readonly InstanceView[] },
): readonly Unit[] => {
  const ranks = new Map<string, number>();
  return it.instances.map((instance) => {
    const rank = ranks.get(instance.role) ?? 0;
    ranks.set(instance.role, rank + 1);
    const id = roleId(instance.role, instance.instance);
    return {
      key: `${groupName(nameOf(ms), it.group)}/${id}`,
      title: `group ${it.group} ${id}`,
      group: it.group,
      roleInstance: { group: instance.group, role: instance.role, instance: instance.instance },
      pool: poolKey(it.group, instance.role),
      rank,
      instances: [instance],
    };
  });
};
