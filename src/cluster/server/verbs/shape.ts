import { builtinSchema } from '../../../objects/index.ts';
import type { StoredObject } from '../../server-types.ts';
import { decodeCustom } from '../custom/decode-custom.ts';
import { type Decoded, DecodeError, decodeAsGo } from '../decode/as-go.ts';
import type { Kind } from '../kinds/kind.ts';
import { badRequest } from '../status-error.ts';
import type { WriteOptions } from './write-options.ts';

/** An object with what the client is to be told about it. */
export interface Shaped {
  readonly object: StoredObject;
  readonly warnings: readonly string[];
}

/**
 * An object as the type of its kind holds it: unknown fields gone, defaults filled in.
 *
 * @param validation what happens about unknown fields: nothing, a warning, or a refusal
 * @throws 400 for a value of the wrong type, and for unknown fields if `validation` is Strict
 */
export const shape = (kind: Kind, object: StoredObject, validation: WriteOptions['fieldValidation']): Shaped => {
  const { value, unknownFields } = decode(kind, object);
  const complaints = unknownFields.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (validation === 'Strict' && complaints.length > 0) {
    throw undecodable(kind, `strict decoding error: ${complaints.join(', ')}`);
  }
  return { object: value as StoredObject, warnings: validation === 'Warn' ? complaints : [] };
};

/** What admission made of a stored object, in shape again. A kind that is stored in another's shape has no schema for it. */
export const reshape = (kind: Kind, object: StoredObject): StoredObject =>
  kind.conversion === undefined ? shape(kind, object, 'Ignore').object : object;

const decode = (kind: Kind, object: StoredObject): Decoded => {
  if (kind.custom !== undefined) return decodeCustom(kind.custom, object);
  if (kind.schemaName === undefined) return { value: object, unknownFields: [] };
  try {
    return decodeAsGo(builtinSchema(kind.schemaName), object);
  } catch (error) {
    if (error instanceof DecodeError) throw undecodable(kind, error.message);
    throw error;
  }
};

const undecodable = (kind: Kind, why: string): Error =>
  badRequest(`${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${why}`);
