import { duplicate, type FieldError, invalid } from '../field-error.ts';
import { isPlainObject, member, type PlainObject } from '../plain-object.ts';
import { additionalSchema, propertySchema } from './child-schema.ts';
import type { Schema } from './schema.ts';

export interface ListTypeOptions {
  /** The value before an update: where it held duplicates already, none are held against the update. */
  readonly before?: unknown;
}

/**
 * Items that a list of type `set` or `map` holds twice: the second occurrence of each.
 * (apiextensions-apiserver, pkg/apiserver/schema/listtype)
 */
export const listTypeErrors = (
  schema: Schema,
  value: unknown,
  { before }: ListTypeOptions = {},
): readonly FieldError[] => {
  if (!hasListTypes(schema)) return [];
  const errors: FieldError[] = [];
  collect(schema, value, { path: '', errors });
  return errors.length > 0 && before !== undefined && listTypeErrors(schema, before).length > 0 ? [] : errors;
};

interface Search {
  readonly path: string;
  readonly errors: FieldError[];
}

const collect = (schema: Schema, value: unknown, { path, errors }: Search): void => {
  if (Array.isArray(value)) {
    errors.push(...duplicates(schema, value, path));
    const { items } = schema;
    if (items === undefined || !hasListTypes(items)) return;
    value.forEach((item, index) => {
      collect(items, item, { path: `${path}[${index}]`, errors });
    });
  } else if (isPlainObject(value)) {
    const others = additionalSchema(schema);
    for (const name of Object.keys(value)) {
      const property = propertySchema(schema, name);
      const inner = property ?? others;
      if (inner === undefined || !hasListTypes(inner)) continue;
      const named = path === '' ? name : `${path}.${name}`;
      collect(inner, value[name], { path: property === undefined ? `${path}[${name}]` : named, errors });
    }
  }
};

const duplicates = (schema: Schema, list: readonly unknown[], path: string): readonly FieldError[] => {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return repeated(list, path, sorted);
    case 'map': {
      const stranger = list.findIndex((item) => item !== null && !isPlainObject(item));
      if (stranger >= 0) {
        return [invalid(`${path}[${stranger}]`, list[stranger], 'must be an object for an array of list-type map')];
      }
      const keys = [...(schema['x-kubernetes-list-map-keys'] ?? [])].sort();
      return repeated(list, path, (item) => keysOf(item, keys));
    }
    default:
      return [];
  }
};

const keysOf = (item: unknown, keys: readonly string[]): PlainObject => {
  const found: Record<string, unknown> = {};
  if (isPlainObject(item)) {
    for (const key of keys) if (Object.hasOwn(item, key)) found[key] = member(item, key);
  }
  return found;
};

/** @param identity  makes of equal items the same JSON, member by member in the same order */
const repeated = (
  list: readonly unknown[],
  path: string,
  identity: (item: unknown) => unknown,
): readonly FieldError[] => {
  if (list.length < 2) return [];
  const times = new Map<string, number>();
  return list.flatMap((item, index) => {
    const text = JSON.stringify(identity(item));
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    return before === 1 ? [duplicate(`${path}[${index}]`, identity(item))] : [];
  });
};

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlainObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
};

const cache = new WeakMap<Schema, boolean>();

/** Whether a list below the schema has a type to check; what a schema that contains itself is asked on the way is yes. */
const hasListTypes = (schema: Schema): boolean => {
  const known = cache.get(schema);
  if (known !== undefined) return known;
  cache.set(schema, true);
  const type = schema['x-kubernetes-list-type'];
  const inner = [...Object.values(schema.properties ?? {}), schema.items, additionalSchema(schema)];
  const answer = type === 'set' || type === 'map' || inner.some((child) => child !== undefined && hasListTypes(child));
  cache.set(schema, answer);
  return answer;
};
