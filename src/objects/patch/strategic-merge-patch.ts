import { isPlainObject, member, type PlainObject, withoutMember } from '../plain-object.ts';
import { mergeList } from './merge-list.ts';
import type { MergeField, MergeSchema } from './merge-schema.ts';
import { noMergeSchema } from './merge-schema.ts';
import { orderMerged } from './order-merged.ts';
import { PatchError } from './patch-error.ts';
import { withoutDirectives } from './without-directives.ts';

const setElementOrder = '$setElementOrder/';
const deleteFromPrimitiveList = '$deleteFromPrimitiveList/';

/**
 * Applies a strategic merge patch as the API server does (k8s.io/apimachinery pkg/util/strategicpatch): objects merge,
 * null removes, lists merge by key where the schema says so. Understands `$patch: delete|replace`, `$retainKeys`,
 * `$setElementOrder/…` and `$deleteFromPrimitiveList/…`; refuses `$patch: merge`, as the server does.
 *
 * @param original  the document; not touched
 * @param patch     the body of the request
 * @param schema    what is known of the document's type
 *
 * Throws a PatchError (`malformed`) where the patch contradicts itself or the schema.
 */
export const applyStrategicMergePatch = (
  original: PlainObject,
  patch: PlainObject,
  schema: MergeSchema,
): PlainObject => {
  const directive = member(patch, '$patch');
  if (directive !== undefined) return applyDirective(directive, patch);
  const result = new Map(Object.entries(retainKeys(original, patch)));
  const ordered = new Set<string>();
  for (const [key, order] of Object.entries(patch)) {
    if (!key.startsWith(setElementOrder)) continue;
    const name = key.slice(setElementOrder.length);
    const merged = mergeOrdered({ name, order, original: result.get(name), patch: member(patch, name), schema });
    if (merged !== undefined) result.set(name, merged);
    ordered.add(name);
  }
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined || key === '$retainKeys' || key.startsWith(setElementOrder) || ordered.has(key)) continue;
    if (key.startsWith(deleteFromPrimitiveList)) deletePrimitives(result, key, value);
    else if (value === null) result.delete(key);
    else setOrDelete(result, key, mergeValue(result.get(key), value, schema.field(key)));
  }
  return Object.fromEntries(result);
};

const setOrDelete = (result: Map<string, unknown>, key: string, value: unknown): void => {
  if (value === undefined) result.delete(key);
  else result.set(key, value);
};

const applyDirective = (directive: unknown, patch: PlainObject): PlainObject => {
  if (directive === 'delete') return {};
  if (directive === 'replace') return asObject(withoutDirectives(withoutMember(patch, '$patch')));
  throw new PatchError('malformed', `unknown patch type: ${String(directive)} in map`);
};

const mergeValue = (original: unknown, patch: unknown, field: MergeField | undefined): unknown => {
  const strategies = field?.strategies ?? [];
  const schema = field?.schema ?? noMergeSchema;
  if (isPlainObject(original) && isPlainObject(patch) && !strategies.includes('replace')) {
    return applyStrategicMergePatch(original, patch, schema);
  }
  if (Array.isArray(original) && Array.isArray(patch) && strategies.includes('merge')) {
    const merge = (from: PlainObject, to: PlainObject): PlainObject => applyStrategicMergePatch(from, to, schema);
    return mergeList({ original, patch, mergeKey: field?.mergeKey, merge });
  }
  return withoutDirectives(patch);
};

/** `$retainKeys`: what the original holds beyond the listed keys goes. Every member of the patch must be listed. */
const retainKeys = (original: PlainObject, patch: PlainObject): PlainObject => {
  const keys = member(patch, '$retainKeys');
  if (keys === undefined) return original;
  if (!Array.isArray(keys)) throw new PatchError('malformed', '$retainKeys is not a list');
  const retained = new Set<unknown>(keys);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || key.startsWith('$')) continue;
    if (!retained.has(key)) {
      throw new PatchError('malformed', `patch has field '${key}' that is not in its $retainKeys list`);
    }
  }
  return Object.fromEntries(Object.entries(original).filter(([key]) => retained.has(key)));
};

interface OrderedList {
  readonly name: string;
  readonly order: unknown;
  readonly original: unknown;
  readonly patch: unknown;
  readonly schema: MergeSchema;
}

/** `$setElementOrder/name`: the list, merged where the patch has one, in the order that was asked for. */
const mergeOrdered = ({ name, order, original, patch, schema }: OrderedList): readonly unknown[] | undefined => {
  if (!Array.isArray(order)) throw new PatchError('malformed', `$setElementOrder/${name} is not a list`);
  for (const list of [original, patch]) {
    if (list !== undefined && list !== null && !Array.isArray(list)) {
      throw new PatchError('malformed', `$setElementOrder/${name}: ${name} is not a list`);
    }
  }
  if (patch === null) return undefined;
  const field = schema.field(name);
  const present = Array.isArray(original) ? original : undefined;
  const wanted = Array.isArray(patch) ? patch : undefined;
  if (wanted !== undefined) refuseOtherOrder({ name, wanted, order, mergeKey: field?.mergeKey });
  if (present === undefined && wanted === undefined) return undefined;
  const merged = wanted === undefined ? present : mergeValue(present, wanted, field);
  if (!Array.isArray(merged)) return undefined;
  return orderMerged({ merged, order, serverOrder: present ?? [], mergeKey: field?.mergeKey });
};

const refuseOtherOrder = (lists: {
  readonly name: string;
  readonly wanted: readonly unknown[];
  readonly order: readonly unknown[];
  readonly mergeKey: string | undefined;
}): void => {
  const { name, wanted, order, mergeKey } = lists;
  const keyOf = (item: unknown): unknown =>
    mergeKey !== undefined && isPlainObject(item) ? member(item, mergeKey) : item;
  const keys = order.map(keyOf);
  let position = 0;
  for (const item of wanted) {
    if (isPlainObject(item) && member(item, '$patch') !== undefined) continue;
    const found = keys.indexOf(keyOf(item), position);
    if (found === -1) {
      throw new PatchError('malformed', `the order in patch list ${name} doesn't match its $setElementOrder list`);
    }
    position = found + 1;
  }
};

const deletePrimitives = (result: Map<string, unknown>, key: string, values: unknown): void => {
  const name = key.slice(deleteFromPrimitiveList.length);
  const list = result.get(name);
  if (!Array.isArray(values)) throw new PatchError('malformed', `${key} is not a list`);
  if (!Array.isArray(list)) return;
  const gone = new Set<unknown>(values);
  result.set(
    name,
    list.filter((item) => !gone.has(item)),
  );
};

const asObject = (value: unknown): PlainObject => (isPlainObject(value) ? value : {});
