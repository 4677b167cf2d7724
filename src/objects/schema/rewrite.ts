import type { PlainObject } from '../plain-object.ts';

/**
 * The object with each member replaced by what `change` makes of it; a member that becomes undefined goes. Where
 * nothing changes the answer is the object itself, so that untouched parts of large objects are shared.
 */
export const rewriteMembers = (object: PlainObject, change: (value: unknown, key: string) => unknown): PlainObject => {
  let result: Record<string, unknown> | undefined;
  for (const key of Object.keys(object)) {
    const after = change(object[key], key);
    if (after === object[key]) continue;
    result ??= { ...object };
    if (after === undefined) delete result[key];
    else result[key] = after;
  }
  return result ?? object;
};

/** The list with each item replaced by what `change` makes of it; the list itself where nothing changes. */
export const rewriteItems = (
  list: readonly unknown[],
  change: (value: unknown, index: number) => unknown,
): readonly unknown[] => {
  let result: unknown[] | undefined;
  list.forEach((item, index) => {
    const after = change(item, index);
    if (after === item) return;
    result ??= [...list];
    result[index] = after;
  });
  return result ?? list;
};
