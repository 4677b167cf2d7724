import { decodeUnits, encodeUnits, type InstanceRecord, type UnitRecord } from '../../api/index.ts';
import { instanceKey, type Keyed } from './instance-key.ts';

/** `status.units` as decisions work with it. */
export interface StoredUnits {
  /** By `instanceKey`. */
  readonly records: ReadonlyMap<string, InstanceRecord & Keyed>;
  /** The same records as this version writes them, whatever the status spells. */
  readonly canonical: readonly UnitRecord[];
}

/** Objects never change, and a status is decided on many times before it does: each is read once. */
const readings = new WeakMap<readonly UnitRecord[], StoredUnits>();

const none: readonly UnitRecord[] = [];

export const storedUnits = (units: readonly UnitRecord[] | null | undefined): StoredUnits => {
  const stored = units ?? none;
  const known = readings.get(stored);
  if (known !== undefined) return known;
  const records = new Map(
    decodeUnits(stored).map((record) => {
      const key = instanceKey(record);
      return [key, { ...record, instanceKey: key }];
    }),
  );
  const reading = { records, canonical: encodeUnits(records.values()) };
  readings.set(stored, reading);
  return reading;
};
