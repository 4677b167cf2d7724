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

/** The object with one member changed, if that is an object itself; else as it is. */
export const mapMember = (
  object: PlainObject,
  key: string,
  change: (value: PlainObject) => PlainObject,
): PlainObject => {
  const value = member(object, key);
  return isPlainObject(value) ? withMember(object, key, change(value)) : object;
};

/** The object with the objects of one list changed, if there is such a list; else as it is. */
export const mapItems = (object: PlainObject, key: string, change: (item: PlainObject) => PlainObject): PlainObject => {
  const items = member(object, key);
  if (!Array.isArray(items)) return object;
  return withMember(
    object,
    key,
    items.map((item) => (isPlainObject(item) ? change(item) : item)),
  );
};
