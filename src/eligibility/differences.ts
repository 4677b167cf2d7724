import { isPlainObject, jsonEqual, member, type PlainObject } from '../objects/index.ts';

/** One place where two values differ, as deep as it can be told. */
export interface Difference {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed' | 'reordered';
}

/**
 * Every place where two JSON values differ. Items of a list are matched by their key (`name`, `mountPath`, …) where
 * each has one of its own, and named by it in the path; their order counts, because it does for environment variables.
 * Lists without such a key are compared item by item if they are equally long, else they differ as a whole.
 */
export const differences = (before: unknown, after: unknown, path: string): readonly Difference[] => {
  if (jsonEqual(before, after)) return [];
  if (before === undefined) return [{ path, change: 'added' }];
  if (after === undefined) return [{ path, change: 'removed' }];
  if (isPlainObject(before) && isPlainObject(after)) return inMembers(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return inLists(before, after, path);
  return [{ path, change: 'changed' }];
};

/** `spec.containers`, or `metadata.labels[app.kubernetes.io/name]` for a member whose name is no identifier. */
export const memberPath = (path: string, key: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `${path}.${key}` : `${path}[${key}]`;

const inMembers = (before: PlainObject, after: PlainObject, path: string): readonly Difference[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    differences(member(before, key), member(after, key), memberPath(path, key)),
  );

const inLists = (before: readonly unknown[], after: readonly unknown[], path: string): readonly Difference[] => {
  const key = keyFor(before, after);
  if (key !== undefined) return inKeyedLists(byKey(before, key), byKey(after, key), path);
  if (before.length !== after.length) return [{ path, change: 'changed' }];
  return before.flatMap((item, index) => differences(item, after[index], `${path}[${index}]`));
};

type Items = ReadonlyMap<string, unknown>;

const inKeyedLists = (before: Items, after: Items, path: string): readonly Difference[] => {
  const staying = [...before.keys()].filter((key) => after.has(key));
  const order = [...after.keys()].filter((key) => before.has(key));
  const reordered: readonly Difference[] = jsonEqual(staying, order) ? [] : [{ path, change: 'reordered' }];
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return [...reordered, ...keys.flatMap((key) => differences(before.get(key), after.get(key), `${path}[${key}]`))];
};

/** Members by which lists of a Pod may be keyed, the most telling first. */
const keys: readonly string[] = [
  'name',
  'mountPath',
  'devicePath',
  'containerPort',
  'conditionType',
  'topologyKey',
  'ip',
  'key',
  'path',
];

const keyFor = (before: readonly unknown[], after: readonly unknown[]): string | undefined =>
  keys.find((key) => [before, after].every((list) => byKey(list, key).size === list.length));

/** Smaller than the list where an item lacks the key or shares it with another. */
const byKey = (list: readonly unknown[], key: string): Items =>
  new Map(
    list.flatMap((item) => {
      const value = isPlainObject(item) ? member(item, key) : undefined;
      return typeof value === 'string' || typeof value === 'number' ? [[String(value), item] as const] : [];
    }),
  );
