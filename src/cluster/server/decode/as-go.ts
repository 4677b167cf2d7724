import { isPlainObject, type Schema } from '../../../objects/index.ts';
import { isFreeForm, scalarOf } from './scalar.ts';
import { isZero } from './zero-value.ts';

/** A JSON value as a Go struct of this type would hold it and write it again. */
export interface Decoded {
  readonly value: unknown;
  /** Paths of fields that the type does not have; they are gone from the value. */
  readonly unknownFields: readonly string[];
}

/**
 * Decodes JSON into a built-in type and writes it again, as an API server does with every body: unknown fields, nulls
 * and zero values go, defaults come, quantities and times get their canonical spelling.
 *
 * @throws DecodeError where a value has the wrong type
 */
export const decodeAsGo = (schema: Schema, value: unknown): Decoded => {
  const unknownFields: string[] = [];
  return { value: walk({ schema, path: '', unknownFields }, value), unknownFields };
};

interface Place {
  readonly schema: Schema;
  readonly path: string;
  readonly unknownFields: string[];
}

export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

const walk = (place: Place, value: unknown): unknown => {
  const { schema, path } = place;
  if (isFreeForm(schema)) return value;
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) {
    if (!isPlainObject(value)) throw mismatch(value, path, 'object');
    return schema.properties === undefined ? map(place, value) : struct(place, schema.properties, value);
  }
  if (schema.items !== undefined) {
    if (!Array.isArray(value)) throw mismatch(value, path, 'array');
    const { items } = schema;
    return value.map((item, index) =>
      walk({ ...place, schema: items, path: `${path}[${index}]` }, item ?? zeroOf(items)),
    );
  }
  return scalar(place, value);
};

const struct = (
  place: Place,
  properties: Readonly<Record<string, Schema>>,
  value: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const { schema, path, unknownFields } = place;
  const result = new Map<string, unknown>();
  for (const [name, item] of Object.entries(value)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) {
      unknownFields.push(join(path, name));
      continue;
    }
    if (item === null || item === undefined) continue;
    const decoded = walk({ ...place, schema: property, path: join(path, name) }, item);
    const optional = schema.required?.includes(name) !== true;
    // What Go leaves out is as if it had not been sent; an empty value that is the default itself stays.
    if (optional && decoded !== property.default && isZero(name, property, decoded)) continue;
    result.set(name, decoded);
  }
  for (const [name, property] of Object.entries(properties)) {
    if (property.default === undefined || result.has(name)) continue;
    result.set(name, walk({ ...place, schema: property, path: join(path, name) }, property.default));
  }
  return Object.fromEntries(result);
};

const map = (place: Place, value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { additionalProperties } = place.schema;
  if (typeof additionalProperties !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      walk(
        { ...place, schema: additionalProperties, path: join(place.path, name) },
        item ?? zeroOf(additionalProperties),
      ),
    ]),
  );
};

const scalar = ({ schema, path }: Place, value: unknown): unknown => {
  const { accepts, wanted, canonical } = scalarOf(schema);
  if (!accepts(value)) throw mismatch(value, path, wanted);
  try {
    return canonical(value);
  } catch (error) {
    throw new DecodeError(error instanceof Error ? error.message : String(error));
  }
};

const zeroOf = (schema: Schema): unknown => {
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return {};
  return schema.type === 'string' ? '' : null;
};

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const mismatch = (value: unknown, path: string, wanted: string): DecodeError => {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return new DecodeError(
    `json: cannot unmarshal ${found} into Go struct field .${path.replace(/\[\d+\]/g, '')} of type ${wanted}`,
  );
};
