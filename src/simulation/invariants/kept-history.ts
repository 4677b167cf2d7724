import { revisionLabel } from '../../api/index.ts';
import { isTerminating } from '../../objects/index.ts';
import type { Invariant } from './invariant.ts';
import { revisionOfPod } from './scene.ts';

export const keptHistory: Invariant = {
  id: 'I28',
  rule: 'The record of a revision that a live Pod or the status names is never deleted.',
  begin: () => ({
    before: ({ entry, isOwn, scene }) => {
      if (!isOwn || entry.resource !== 'controllerrevisions' || entry.verb !== 'delete') return undefined;
      const revision = entry.object.metadata.labels?.[revisionLabel];
      const user = scene.ownPods().find(({ pod }) => revisionOfPod(pod) === revision && !isTerminating(pod));
      if (user !== undefined) return `the record of revision ${revision} is deleted, which Pod ${user.name} has`;
      const { currentRevision, updateRevision } = scene.modelServing?.status ?? {};
      return revision === currentRevision || revision === updateRevision
        ? `the record of revision ${revision} is deleted, which the status names`
        : undefined;
    },
  }),
};
