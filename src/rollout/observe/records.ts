import type { FailureRecord, InstanceRecord, Recreation, RoleInstanceIdentity } from '../../api/index.ts';
import { instanceKey, type Keyed } from './instance-key.ts';

/**
 * The milestones while a decision is made: read from the status, changed by the steps, written back once. `changed`
 * tells whether anything differs from what the status says.
 */
export interface Records {
  get(id: RoleInstanceIdentity & Partial<Keyed>): InstanceRecord | undefined;
  all(): readonly InstanceRecord[];
  set(record: InstanceRecord): void;
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
  readonly units: readonly InstanceRecord[];
  readonly failures: readonly FailureRecord[];
  readonly recreations: readonly Recreation[];
}

export const draftRecords = ({ units, failures, recreations }: StoredRecords): Records => {
  const byKey = new Map(units.map((record) => [instanceKey(record), record]));
  const recreated = new Map(recreations.map((recreation) => [instanceKey(recreation), recreation]));
  let failed = [...failures];
  let changed = false;
  return {
    get: (id) => byKey.get(instanceKey(id)),
    all: () => [...byKey.values()],
    set: (record) => {
      const before = byKey.get(instanceKey(record));
      if (before?.completed === record.completed && before.leaving === record.leaving) return;
      byKey.set(instanceKey(record), record);
      changed = true;
    },
    remove: (id) => {
      changed = byKey.delete(instanceKey(id)) || changed;
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
