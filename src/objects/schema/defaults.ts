import type { Json } from '../object.ts';
import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { memberSchema } from './child-schema.ts';
import { rewriteItems, rewriteMembers } from './rewrite.ts';
import type { Schema } from './schema.ts';

/**
 * The value with the schema's defaults where something is absent. A null that the schema does not allow counts as
 * absent too: it becomes the default, or goes. A default is not put into an object that is itself absent.
 *
 * (apiextensions-apiserver, pkg/apiserver/schema/defaulting.) The value is not changed; what needs no default is shared
 * with it, and so are the defaults with the schema.
 */
export const applyDefaults = (schema: Schema, value: unknown): unknown => {
  if (Array.isArray(value)) return schema.items === undefined ? value : defaultItems(schema.items, value);
  return isPlainObject(value) ? defaultMembers(schema, value) : value;
};

const defaultItems = (schema: Schema, list: readonly unknown[]): readonly unknown[] =>
  rewriteItems(list, (item) => applyDefaults(schema, isForbiddenNull(schema, item) ? (schema.default ?? null) : item));

const defaultMembers = (schema: Schema, object: PlainObject): PlainObject => {
  const filled = rewriteMembers(object, (member, name) => {
    const inner = memberSchema(schema, name);
    if (inner === undefined) return member;
    return isForbiddenNull(inner, member) ? replacement(inner) : applyDefaults(inner, member);
  });
  let result: Record<string, unknown> | undefined;
  for (const [name, value] of missingDefaults(schema)) {
    if (Object.hasOwn(filled, name)) continue;
    result ??= { ...filled };
    result[name] = value;
  }
  return result ?? filled;
};

const isForbiddenNull = (schema: Schema, value: unknown): boolean => value === null && schema.nullable !== true;

const replacement = (schema: Schema): unknown =>
  schema.default === undefined ? undefined : applyDefaults(schema, schema.default);

const cache = new WeakMap<Schema, readonly (readonly [string, unknown])[]>();

/** What an object gets that lacks these members. A default may be incomplete: it is filled in like any value. */
const missingDefaults = (schema: Schema): readonly (readonly [string, unknown])[] => {
  const known = cache.get(schema);
  if (known !== undefined) return known;
  const defaults = Object.entries(schema.properties ?? {}).flatMap(([name, property]): (readonly [string, Json])[] =>
    property.default === undefined || property.default === null ? [] : [[name, replacement(property) as Json]],
  );
  cache.set(schema, defaults);
  return defaults;
};
