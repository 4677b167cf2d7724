import { isPlainObject, member, type PlainObject } from '../plain-object.ts';
import { orderMerged } from './order-merged.ts';
import { PatchError } from './patch-error.ts';
import { withoutDirectives } from './without-directives.ts';

export interface ListMerge {
  readonly original: readonly unknown[];
  readonly patch: readonly unknown[];
  readonly mergeKey: string | undefined;
  /** Merges one item of the patch into the item with the same key. */
  readonly merge: (original: PlainObject, patch: PlainObject) => PlainObject;
}

/**
 * Merges a list whose strategy is `merge`: scalars become a union, objects are matched by their merge key. Items of the
 * patch keep the patch's order among themselves, the others the original's.
 */
export const mergeList = ({ original, patch, mergeKey, merge }: ListMerge): readonly unknown[] => {
  if ([...original, ...patch].every((item) => !isPlainObject(item))) {
    return orderMerged({
      merged: unique([...original, ...patch]),
      order: patch,
      serverOrder: original,
      mergeKey: undefined,
    });
  }
  if (mergeKey === undefined) throw new PatchError('malformed', 'cannot merge lists without merge key');
  const items = original.map((item) => keyed(item, mergeKey));
  const changes = patch.map((item) => keyed(item, mergeKey));
  if (changes.some((change) => directiveOf(change.item) === 'replace')) {
    return changes.filter(({ item }) => directiveOf(item) === undefined).map(({ item }) => withoutDirectives(item));
  }
  const deleted = new Set(changes.filter(({ item }) => directiveOf(item) === 'delete').map(({ key }) => key));
  const kept = items.filter(({ key }) => !deleted.has(key));
  const wanted = changes.filter(({ item }) => directiveOf(item) === undefined);
  const merged = wanted.reduce<readonly Keyed[]>((list, change) => mergeItem(list, change, merge), kept);
  return orderMerged({
    merged: merged.map(({ item }) => item),
    order: wanted.map(({ item }) => item),
    serverOrder: original,
    mergeKey,
  });
};

interface Keyed {
  readonly key: unknown;
  readonly item: PlainObject;
}

const keyed = (item: unknown, mergeKey: string): Keyed => {
  if (!isPlainObject(item)) throw new PatchError('malformed', 'a list mixes objects and other values');
  const key = member(item, mergeKey);
  if (key === undefined && directiveOf(item) !== 'replace') {
    throw new PatchError('malformed', `map does not contain declared merge key: ${mergeKey}`);
  }
  return { key, item };
};

const mergeItem = (list: readonly Keyed[], change: Keyed, merge: ListMerge['merge']): readonly Keyed[] => {
  const index = list.findIndex(({ key }) => key === change.key);
  const found = list[index];
  if (found === undefined) return [...list, { key: change.key, item: asObject(withoutDirectives(change.item)) }];
  return list.with(index, { key: change.key, item: merge(found.item, change.item) });
};

const directiveOf = (item: PlainObject): 'delete' | 'replace' | undefined => {
  const directive = member(item, '$patch');
  if (directive === undefined || directive === 'delete' || directive === 'replace') return directive;
  throw new PatchError(
    'malformed',
    directive === 'merge'
      ? 'merging lists cannot yet be specified in the patch'
      : `unknown patch type: ${String(directive)} in map`,
  );
};

const unique = (values: readonly unknown[]): readonly unknown[] => [...new Set(values)];

const asObject = (value: unknown): PlainObject => (isPlainObject(value) ? value : {});
