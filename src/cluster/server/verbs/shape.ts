import type { StoredObject } from '../../server-types.ts';
import type { Kind } from '../kinds/kind.ts';

/** An object with what the client is to be told about it. */
export interface Shaped {
  readonly object: StoredObject;
  readonly warnings: readonly string[];
}

export const shape = (_kind: Kind, object: StoredObject, _validation: 'Ignore' | 'Warn' | 'Strict'): Shaped => ({
  object,
  warnings: [],
});
