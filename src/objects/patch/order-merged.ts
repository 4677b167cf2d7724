import { isPlainObject, member } from '../plain-object.ts';

export interface Ordering {
  /** The list after the merge, in any order. */
  readonly merged: readonly unknown[];
  /** The order asked for, by items or by their keys alone. */
  readonly order: readonly unknown[];
  /** The list before the merge. */
  readonly serverOrder: readonly unknown[];
  readonly mergeKey: string | undefined;
}

/**
 * Orders a merged list: items the patch names keep its order, items it does not name keep the server's, and where the
 * two must be interleaved, an item of the server's goes before the first of the patch's that it stood before.
 */
export const orderMerged = ({ merged, order, serverOrder, mergeKey }: Ordering): readonly unknown[] => {
  const keyOf = (item: unknown): unknown =>
    mergeKey !== undefined && isPlainObject(item) ? member(item, mergeKey) : item;
  const wanted = positions(order.map(keyOf));
  const before = positions(serverOrder.map(keyOf));
  const rank = (table: ReadonlyMap<unknown, number>, item: unknown): number =>
    table.get(keyOf(item)) ?? Number.POSITIVE_INFINITY;
  const byRank =
    (table: ReadonlyMap<unknown, number>) =>
    (a: unknown, b: unknown): number =>
      rank(table, a) === rank(table, b) ? 0 : rank(table, a) - rank(table, b);
  const named = merged.filter((item) => wanted.has(keyOf(item))).sort(byRank(wanted));
  const others = merged.filter((item) => !wanted.has(keyOf(item))).sort(byRank(before));
  return interleave(others, named, (other, item) => {
    const [left, right] = [before.get(keyOf(other)), before.get(keyOf(item))];
    return left !== undefined && right !== undefined && left < right;
  });
};

const positions = (keys: readonly unknown[]): ReadonlyMap<unknown, number> =>
  new Map(keys.map((key, index) => [key, index] as const).reverse());

const interleave = (
  left: readonly unknown[],
  right: readonly unknown[],
  isBefore: (left: unknown, right: unknown) => boolean,
): readonly unknown[] => {
  const result: unknown[] = [];
  let taken = 0;
  for (const item of right) {
    while (taken < left.length && isBefore(left[taken], item)) {
      result.push(left[taken]);
      taken += 1;
    }
    result.push(item);
  }
  return [...result, ...left.slice(taken)];
};
