import type { StoredObject } from '../../server-types.ts';

/** One committed change of one object. */
export interface Change {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** `namespace/name`, or `name`. */
  readonly key: string;
  /** The new state; for DELETED the last one, carrying the version of the deletion. */
  readonly object: StoredObject;
  /** The state before; absent for ADDED. */
  readonly previous?: StoredObject | undefined;
}
