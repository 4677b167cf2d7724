import type { FailureRecord, InstanceRecord, Recreation, RoleInstanceIdentity } from '../../api/index.ts';
import { instanceKey, type Keyed } from './instance-key.ts';

/**
 * The milestones while a decision is made: read from the status, changed by the steps, written back once. `changed`
 * tells whether anything differs from what the status says.
 */
export interface Records {
  /** Undefined where it was never whole, or is being made again. */
  get(id: RoleInstanceIdentity & Partial<Keyed>): InstanceRecord | undefined;
  all(): readonly InstanceRecord[];
  /** Has a record of whatever kind, and so keeps its ordinal. */
  has(id: RoleInstanceIdentity & Partial<Keyed>): boolean;
  /** Its deletion was decided. */
  isLeaving(id: RoleInstanceIdentity & Partial<Keyed>): boolean;
  set(record: InstanceRecord): void;
  /** No Pod of it is left, and it is made again: nothing of its past counts any more but its ordinal. */
  vacate(id: RoleInstanceIdentity): void;
  remove(id: RoleInstanceIdentity): void;
  failures(): readonly FailureRecord[];
  fail(failure: FailureRecord): void;
  /** Drops the failures for which the predicate holds. */
  unfail(predicate: (failure: FailureRecord) => boolean): void;
  /** How often the instance was made again in a row, because Pods of it failed soon after they were made. */
  recreation(id: RoleInstanceIdentity): Recreation | undefined;
  recreations(): readonly Recreation[];
  recreate(recreation: Recreation): void;
  forgetRecreation(id: RoleInstanceIdentity): void;
  readonly changed: boolean;
}

/** The milestones as the status has them. */
export interface StoredRecords {
  /** By `instanceKey`. */
  readonly units: ReadonlyMap<string, InstanceRecord>;
  readonly failures: readonly FailureRecord[];
  readonly recreations: readonly Recreation[];
}

export const draftRecords = ({ units, failures, recreations }: StoredRecords): Records => {
  // What is stored belongs to every decision on this status, so it is copied before the first change.
  let byKey = units;
  let copy: Map<string, InstanceRecord> | undefined;
  const change = (): Map<string, InstanceRecord> => {
    copy ??= new Map(units);
    byKey = copy;
    changed = true;
    return copy;
  };
  const leaving = new Set<string>();
  for (const [key, record] of units) if (record.leaving) leaving.add(key);
  const recreated = new Map(recreations.map((recreation) => [instanceKey(recreation), recreation]));
  let failed = [...failures];
  let changed = false;
  return {
    get: (id) => {
      const record = byKey.get(instanceKey(id));
      return record?.filling === true ? undefined : record;
    },
    has: (id) => byKey.has(instanceKey(id)),
    all: () => [...byKey.values()],
    // Asked for each instance by many steps, and mostly there is none.
    isLeaving: (id) => leaving.size > 0 && leaving.has(instanceKey(id)),
    set: (record) => {
      const key = instanceKey(record);
      const before = byKey.get(key);
      const isSame = before?.completed === record.completed && before.leaving === record.leaving;
      if (isSame && before.filling === record.filling) return;
      change().set(key, record);
      if (record.leaving) leaving.add(key);
      else leaving.delete(key);
    },
    vacate: ({ group, role, instance }) => {
      const record: InstanceRecord = { group, role, instance, completed: 0, leaving: false, filling: true };
      leaving.delete(instanceKey(record));
      change().set(instanceKey(record), record);
    },
    remove: (id) => {
      const key = instanceKey(id);
      leaving.delete(key);
      if (byKey.has(key)) change().delete(key);
    },
    failures: () => failed,
    fail: (failure) => {
      failed = [...failed, failure];
      changed = true;
    },
    unfail: (predicate) => {
      const kept = failed.filter((failure) => !predicate(failure));
      changed = changed || kept.length !== failed.length;
      failed = kept;
    },
    recreation: (id) => recreated.get(instanceKey(id)),
    recreations: () => [...recreated.values()],
    recreate: (recreation) => {
      recreated.set(instanceKey(recreation), recreation);
      changed = true;
    },
    forgetRecreation: (id) => {
      changed = recreated.delete(instanceKey(id)) || changed;
    },
    get changed() {
      return changed;
    },
  };
};
