import type { KubeObject } from '../objects/index.ts';
import type { WatchEvent } from './client-types.ts';
import { ApiError, errorOfStatus } from './errors.ts';
import { managedFieldsIn } from './managed-fields.ts';
import { isStatus } from './status.ts';

const malformed = (what: string, cause?: unknown): ApiError =>
  new ApiError({ code: 'malformed', message: `a line of the watch ${what}`, cause });

/**
 * The event that one line of a watch stands for, without the object's managedFields. Throws an ApiError with the code
 * `malformed` for a line that is none.
 */
export const decodeWatchLine = <T extends KubeObject>(line: Buffer): WatchEvent<T> => {
  const event = parsed(line);
  const object = event.object;
  if (event.type === 'ERROR') {
    return {
      type: 'ERROR',
      error: isStatus(object) ? errorOfStatus(object) : malformed('is an ERROR without a Status'),
    };
  }
  if (event.type !== 'ADDED' && event.type !== 'MODIFIED' && event.type !== 'DELETED' && event.type !== 'BOOKMARK') {
    throw malformed(`has the unknown type ${String(event.type)}`);
  }
  if (!isKubeObject(object)) throw malformed('has no object with metadata');
  return { type: event.type, object: withoutManagedFields<T>(object) };
};

const parsed = (line: Buffer): { readonly type?: unknown; readonly object?: unknown } => {
  const cut = managedFieldsIn(line);
  const text =
    cut === undefined
      ? line.toString('utf8')
      : line.toString('utf8', 0, cut.from) + line.toString('utf8', cut.to, line.length);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed('is not JSON', cause);
  }
  if (typeof value !== 'object' || value === null) throw malformed('is not an object');
  return value;
};

const isKubeObject = (value: unknown): value is KubeObject =>
  typeof value === 'object' &&
  value !== null &&
  'metadata' in value &&
  typeof value.metadata === 'object' &&
  value.metadata !== null;

/**
 * The same object without managedFields. For objects fresh from the wire only: it takes the field out in place. The
 * field goes wholly, as an empty list in a later PUT would erase it on the server (an absent one leaves it alone).
 */
export const withoutManagedFields = <T extends KubeObject>(object: KubeObject): T => {
  const metadata: { managedFields?: unknown } = object.metadata;
  if (metadata.managedFields !== undefined) delete metadata.managedFields;
  return object as T;
};
