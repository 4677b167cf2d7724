/** A JSON object seen as a map of its members. */
export type PlainObject = { readonly [key: string]: unknown };

/** Whether the value is a JSON object: neither null, nor an array, nor a scalar. */
export const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * One own member, or undefined. Never what an object inherits, so that a field named `constructor` or `__proto__` is
 * a field like any other.
 */
export const member = (object: PlainObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** The object with one member set to the value; an existing member keeps its place. */
export const withMember = (object: PlainObject, key: string, value: unknown): PlainObject =>
  Object.fromEntries(new Map(Object.entries(object)).set(key, value));

/** The object without one member. */
export const withoutMember = (object: PlainObject, key: string): PlainObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
