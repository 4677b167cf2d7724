import { isTerminating } from '../../objects/index.ts';
import type { Invariant } from './invariant.ts';
import { revisionOfPod } from './scene.ts';
import { instanceKey } from './units.ts';
import { ownPodWrite } from './write-kinds.ts';

export const ownRevision: Invariant = {
  id: 'I4, I28, I45',
  rule: 'A Pod that is missing in a role instance comes back on the revision of the Pods that are there.',
  begin: () => ({
    before: (judged) => {
      const { scene } = judged;
      const made = ownPodWrite(judged, 'create');
      if (made === undefined) return undefined;
      const peers = scene.ownPods().filter((it) => instanceKey(it) === instanceKey(made) && !isTerminating(it.pod));
      if (peers.length === 0 || peers.some(({ pod }) => scene.wasTouched(pod))) return undefined;
      const revisions = new Set(peers.map(({ pod }) => revisionOfPod(pod)));
      const revision = revisionOfPod(made.pod);
      if (revisions.has(revision)) return undefined;
      return `Pod ${made.name} is made for revision ${revision}, and its peers are of ${[...revisions].join(', ')}`;
    },
  }),
};
