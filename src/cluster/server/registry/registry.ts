import type { ResourceRegistry } from '../../server-types.ts';
import type { Kind } from '../kinds/kind.ts';

/** The kinds served right now. `all` and `find` answer kinds with their rules, so the server itself uses it too. */
export interface KindRegistry extends ResourceRegistry {
  all(): readonly Kind[];
  find(group: string, version: string, plural: string): Kind | undefined;
  /** Whether any kind of this group and version is served. */
  has(group: string, version: string): boolean;
}

/** @param custom kinds that CRDs define, asked for on every call since they come and go */
export const createRegistry = (builtins: readonly Kind[], custom: () => readonly Kind[]): KindRegistry => {
  const fixed = new Map(builtins.map((kind) => [idOf(kind.group, kind.version, kind.plural), kind]));
  const all = (): readonly Kind[] => [...builtins, ...custom()];
  return {
    all,
    find: (group, version, plural) =>
      fixed.get(idOf(group, version, plural)) ??
      custom().find((kind) => kind.group === group && kind.version === version && kind.plural === plural),
    has: (group, version) => all().some((kind) => kind.group === group && kind.version === version),
  };
};

const idOf = (group: string, version: string, plural: string): string => `${group}/${version}/${plural}`;
