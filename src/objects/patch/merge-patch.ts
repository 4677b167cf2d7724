import { jsonEqual } from '../equal.ts';
import { isPlainObject, member, type PlainObject } from '../plain-object.ts';

/**
 * Applies a JSON merge patch (RFC 7396): objects merge, null removes, everything else (lists too) replaces as a whole.
 * Returns the new document; neither argument is touched.
 */
export const applyMergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isPlainObject(patch)) return patch;
  const base: PlainObject = isPlainObject(target) ? target : {};
  const result = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) result.delete(key);
    else result.set(key, applyMergePatch(member(base, key), value));
  }
  return Object.fromEntries(result);
};

/**
 * The smallest merge patch that turns `from` into `to`; undefined where they are equal. A merge patch cannot write a
 * null: where `to` holds one, the patch removes the member.
 */
export const diffMergePatch = (from: unknown, to: unknown): unknown => {
  if (jsonEqual(from, to)) return undefined;
  if (!isPlainObject(from) || !isPlainObject(to)) return to;
  const changed = Object.entries(to)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, diffMergePatch(member(from, key), value)] as const)
    .filter(([, value]) => value !== undefined);
  const removed = Object.keys(from)
    .filter((key) => from[key] !== undefined && member(to, key) === undefined)
    .map((key) => [key, null] as const);
  return Object.fromEntries([...changed, ...removed]);
};
