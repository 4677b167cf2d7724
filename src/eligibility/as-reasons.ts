import type { Difference } from './differences.ts';
import type { Reason, ReasonKind } from './reason.ts';

/** Differences as reasons of one kind. */
export const asReasons = (found: readonly Difference[], kind: ReasonKind): readonly Reason[] =>
  found.map(({ path, change }) => ({ path, kind, message: `${shortPath(path)} ${verbs[change]}` }));

const verbs: Readonly<Record<Difference['change'], string>> = {
  added: 'was added',
  removed: 'was removed',
  changed: 'changed',
  reordered: 'changed its order',
};

/** Messages leave out what every path begins with. */
export const shortPath = (path: string): string => path.replace(/^spec\.(?:template\.)?/, '');
