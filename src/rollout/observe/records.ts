import type { FailureRecord, InstanceRecord, RoleInstanceIdentity } from '../../api/index.ts';
import { instanceKey } from './fleet.ts';

/**
 * The milestones while a decision is made: read from the status, changed by the steps, written back once. `changed`
 * tells whether anything differs from what the status says.
 */
export interface Records {
  get(id: RoleInstanceIdentity): InstanceRecord | undefined;
  all(): readonly InstanceRecord[];
  set(record: InstanceRecord): void;
  remove(id: RoleInstanceIdentity): void;
  failures(): readonly FailureRecord[];
  fail(failure: FailureRecord): void;
  /** Drops the failures for which the predicate holds. */
  unfail(predicate: (failure: FailureRecord) => boolean): void;
  readonly changed: boolean;
}

export const draftRecords = (records: readonly InstanceRecord[], failures: readonly FailureRecord[]): Records => {
  const byKey = new Map(records.map((record) => [instanceKey(record), record]));
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
    get changed() {
      return changed;
    },
  };
};
