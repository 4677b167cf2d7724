import type { ObjectMeta } from '../../../objects/index.ts';
import type { StoredObject } from '../../server-types.ts';

/** The object with these metadata fields changed; undefined removes a field. */
export const withMetadata = (object: StoredObject, change: Partial<ObjectMeta>): StoredObject => ({
  ...object,
  metadata: withoutUndefined({ ...object.metadata, ...change }),
});

/** The object with these top-level fields changed; undefined removes a field. */
export const withFields = (object: StoredObject, change: Readonly<Record<string, unknown>>): StoredObject =>
  withoutUndefined({ ...object, ...change });

export const withoutUndefined = <T extends object>(value: T): T => {
  if (!Object.values(value).includes(undefined)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
};

/** RFC 3339 with whole seconds, as metav1.Time is written. */
export const secondsTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
