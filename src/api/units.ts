import type { RoleInstanceIdentity } from './names.ts';
import { formatRanges, readRanges } from './ranges.ts';
import type { RoleInstanceRecord, UnitRecord } from './types.ts';

/** The milestone of one role instance, as `status.units` keeps it for many at once. */
export interface InstanceRecord extends RoleInstanceIdentity {
  /** In-place updates it has completed. */
  readonly completed: number;
  /** Its deletion was decided: what is left of it is deleted to the end and never filled. */
  readonly leaving: boolean;
  /** No Pod of it is left, and it is being made again: it keeps its ordinal, and is not whole yet. */
  readonly filling?: true;
}

/**
 * Records as `status.units` stores them: role instances with equal records merged into ranges, and groups with equal
 * role instances merged again, so that 1,000 groups that stand alike are one entry. The same records in any order give
 * the same text: units by their first group, roles by name, completed, leaving, filling.
 */
export const encodeUnits = (records: Iterable<InstanceRecord>): readonly UnitRecord[] => {
  const groups = new Map<number, InstanceRecord[]>();
  for (const record of records) push(groups, record.group, record);
  const alike = new Map<string, { readonly groups: number[]; readonly roles: readonly RoleInstanceRecord[] }>();
  for (const group of [...groups.keys()].sort((a, b) => a - b)) {
    const roles = encodeRoles(groups.get(group) ?? []);
    const key = JSON.stringify(roles);
    const unit = alike.get(key);
    if (unit === undefined) alike.set(key, { groups: [group], roles });
    else unit.groups.push(group);
  }
  return [...alike.values()].map((unit) => ({ groups: formatRanges(unit.groups), roles: unit.roles }));
};

const encodeRoles = (records: readonly InstanceRecord[]): readonly RoleInstanceRecord[] => {
  const alike = new Map<string, InstanceRecord[]>();
  for (const record of records) {
    const { role, completed, leaving, filling = false } = record;
    push(alike, JSON.stringify([role, completed, leaving, filling]), record);
  }
  return [...alike.values()]
    .map((same) => ({ first: same[0] as InstanceRecord, instances: formatRanges(same.map((it) => it.instance)) }))
    .sort(({ first: a }, { first: b }) => compare(a, b))
    .map(({ first, instances }) => ({
      name: first.role,
      instances,
      completed: first.completed,
      ...(first.leaving ? { leaving: true } : {}),
      ...(first.filling === true ? { filling: true } : {}),
    }));
};

const compare = (a: InstanceRecord, b: InstanceRecord): number => {
  if (a.role !== b.role) return a.role < b.role ? -1 : 1;
  const flags = (it: InstanceRecord): number => 2 * Number(it.leaving) + Number(it.filling === true);
  return a.completed - b.completed || flags(a) - flags(b);
};

/**
 * The records of `status.units`, one per role instance. An entry that no operator writes (edited by hand) counts as
 * lost: it is left out, and the unit is recorded anew. Of two entries for one role instance the later one counts.
 */
export const decodeUnits = (units: readonly UnitRecord[] | undefined): readonly InstanceRecord[] => {
  const records = new Map<string, InstanceRecord>();
  for (const unit of units ?? []) {
    for (const group of readRanges(unit.groups)) {
      for (const role of unit.roles) {
        for (const instance of readRanges(role.instances)) {
          const { name, completed, leaving = false } = role;
          const filling = role.filling === true ? { filling: role.filling } : {};
          records.set(`${group}/${name}/${instance}`, { group, role: name, instance, completed, leaving, ...filling });
        }
      }
    }
  }
  return [...records.values()];
};

const push = <Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void => {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
};
