import { jsonEqual } from '../equal.ts';
import { isPlainObject, member } from '../plain-object.ts';
import type { Schema } from './schema.ts';

/** What stands in the place of a value before an update; undefined where nothing does, or nothing can be told. */
export type Before = unknown;

/** The member of that name before. */
export const memberBefore = (before: Before, name: string): Before =>
  isPlainObject(before) ? member(before, name) : undefined;

/**
 * The item that was this one before: of a list with map keys, the one with the same keys. Items of other lists have no
 * identity. (apiserver, pkg/cel/common/maplist.go)
 */
export const itemBefore = (schema: Schema, before: Before, item: unknown): Before => {
  if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(before) || !isPlainObject(item)) return undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return before.find(
    (other) => isPlainObject(other) && keys.every((key) => jsonEqual(member(other, key), member(item, key))),
  );
};
