import { controllerOf } from '../../objects/index.ts';
import type { Invariant } from './invariant.ts';

const children: readonly string[] = ['pods', 'services', 'controllerrevisions', 'podgroups'];

export const ownership: Invariant = {
  id: 'I26, I46',
  rule: 'A child is written or deleted only in the name of a ModelServing that is there (or was, as recently as a view may be old), and only by its own.',
  begin: () => ({
    before: ({ entry, isOwn, scene }) => {
      if (!isOwn || !children.includes(entry.resource)) return undefined;
      const before = entry.previous ?? entry.object;
      const owner = controllerOf(before)?.uid;
      if (owner === undefined) return `${entry.resource} ${entry.name} belongs to nobody, and is written`;
      return scene.wasAlive(owner)
        ? undefined
        : `${entry.resource} ${entry.name} of ${owner}, which is gone, is written`;
    },
  }),
};
