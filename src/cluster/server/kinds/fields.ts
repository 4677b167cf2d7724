import type { StoredObject } from '../../server-types.ts';
import type { FieldReader } from './strategy.ts';

/** The value at a dotted path of plain member names, or undefined. */
export const valueAt = (object: unknown, path: string): unknown => {
  let value: unknown = object;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
};

/** Readers for dotted paths; what is missing reads as the empty string, as Go's zero value would. */
export const readersOf = (...paths: readonly string[]): Readonly<Record<string, FieldReader>> =>
  Object.fromEntries(paths.map((path) => [path, (object: StoredObject) => text(valueAt(object, path))]));

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** A JSON object, or an empty one where the value is something else. */
export const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** The objects in a JSON array, or none where the value is something else. */
export const records = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(record) : [];
