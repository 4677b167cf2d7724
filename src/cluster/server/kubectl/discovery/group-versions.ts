import type { ServedResource } from '../../../server-types.ts';

/** One API group with its versions, the preferred one first, and what each serves. */
export interface Group {
  readonly name: string;
  readonly versions: readonly GroupVersion[];
}

export interface GroupVersion {
  readonly version: string;
  /** In alphabetical order of their plural names. */
  readonly resources: readonly ServedResource[];
}

/** The core group (name '') and all others, in the order in which their first resource is registered. */
export const groupsOf = (resources: readonly ServedResource[]): readonly Group[] =>
  partition(resources, ({ group }) => group).map(([name, members]) => ({
    name,
    versions: partition(members, ({ version }) => version)
      .map(([version, served]) => ({ version, resources: served.toSorted(byPlural) }))
      .sort((a, b) => compareVersions(a.version, b.version)),
  }));

/** Members by a key, keys in the order of their first member. */
const partition = <T>(members: readonly T[], keyOf: (member: T) => string): readonly [string, readonly T[]][] => {
  const parts = new Map<string, T[]>();
  for (const member of members) {
    const part = parts.get(keyOf(member));
    if (part === undefined) parts.set(keyOf(member), [member]);
    else part.push(member);
  }
  return [...parts];
};

const byPlural = (a: ServedResource, b: ServedResource): number => (a.plural < b.plural ? -1 : 1);

/** `apps/v1`, or `v1` in the core group. */
export const groupVersionText = (group: string, version: string): string =>
  group === '' ? version : `${group}/${version}`;

/** Kubernetes' order of versions: stable before beta before alpha, higher numbers first, anything else last by name. */
export const compareVersions = (a: string, b: string): number => {
  const [left, right] = [rank(a), rank(b)];
  for (const [index, value] of left.entries()) {
    const difference = (right[index] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : a > b ? 1 : 0;
};

const rank = (version: string): readonly number[] => {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return [0, 0, 0];
  const stability = match[2] === undefined ? 3 : match[2] === 'beta' ? 2 : 1;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
};
