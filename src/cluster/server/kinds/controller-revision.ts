import { clone, stringifyAsGo } from '../../../objects/index.ts';
import type { StoredObject } from '../../server-types.ts';
import { compactAsGo, rawMember } from '../decode/raw-json.ts';
import { type FieldError, invalidValue, required } from '../field-error.ts';
import { withFields } from './metadata.ts';
import { plain, type Strategy } from './strategy.ts';

/**
 * ControllerRevisions, whose `data` is immutable byte by byte. A real server keeps the bytes as they were sent, and
 * encodes them again with every patch: data that is not written as Go writes it fails every later patch, even one of
 * the metadata alone.
 */
export const controllerRevisionStrategy: Strategy = {
  ...plain,
  raw: {
    fromBody: (object, body) => withRaw(object, rawMember(body, 'data')),
    afterPatch: (object, patch) => withRaw(object, patchedText(object['data'], patch)),
  },
  validate: (object) => [
    ...(object['data'] === undefined ? [required('data', 'data is mandatory')] : []),
    ...checkRevision(object['revision']),
  ],
  validateUpdate: (next, previous) => [
    ...checkRevision(next['revision']),
    ...(textOf(next['data']) === textOf(previous['data']) ? [] : [immutable(next['data'])]),
  ],
};

/** The bytes of data that came over the wire. Not part of the object: nothing else may see them. */
const texts = new WeakMap<object, string>();

const textOf = (data: unknown): string | undefined =>
  typeof data === 'object' && data !== null ? (texts.get(data) ?? stringifyAsGo(data)) : undefined;

const withRaw = (object: StoredObject, text: string | undefined): StoredObject => {
  const { data } = object;
  if (typeof data !== 'object' || data === null || text === undefined) return object;
  const own = clone(data);
  texts.set(own, text);
  return withFields(object, { data: own });
};

// A strategic merge goes through a map: keys sorted, numbers shortened. The other patches leave the raw text alone.
const patchedText = (data: unknown, patch: 'strategic' | 'other'): string | undefined => {
  const text = textOf(data);
  if (text === undefined) return undefined;
  return patch === 'strategic' ? stringifyAsGo(data) : compactAsGo(text);
};

const checkRevision = (revision: unknown): readonly FieldError[] =>
  typeof revision === 'number' && revision < 0
    ? [invalidValue('revision', revision, 'must be greater than or equal to 0')]
    : [];

const immutable = (data: unknown): FieldError => ({
  reason: 'FieldValueInvalid',
  field: 'data',
  message: `Invalid value: ${compactAsGo(textOf(data) ?? 'null')}: field is immutable`,
});
