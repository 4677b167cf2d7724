import { effectiveReplicas, type ModelServing, revisionLabel } from '../../api/index.ts';
import type { Invariant } from './invariant.ts';
import { isAlive, revisionOfPod, type Scene } from './scene.ts';
import { isOwnStatusWrite } from './write-kinds.ts';

const isKnown = (scene: Scene, revision: string): boolean =>
  [...scene.revisions.values()].some(({ metadata }) => metadata.labels?.[revisionLabel] === revision);

export const currentRevision: Invariant = {
  id: 'I41',
  rule: 'currentRevision moves on only when every Pod is of the new revision, and names one that is on record, or is about to be.',
  begin: () => ({
    before: (judged) => {
      if (!isOwnStatusWrite(judged)) return undefined;
      const { scene, entry } = judged;
      const before = (entry.previous as ModelServing | undefined)?.status?.currentRevision;
      const after = (entry.object as ModelServing).status?.currentRevision;
      if (after === before || after === undefined || before === undefined) return undefined;
      if (!isKnown(scene, after) && after !== (entry.object as ModelServing).status?.updateRevision)
        return `currentRevision ${after} is not on record`;
      const pods = scene.ownPods().filter((pod) => isAlive(pod) && !scene.wasEverTouched(pod.pod));
      const wanted = scene.modelServing === undefined ? 0 : effectiveReplicas(scene.modelServing.spec);
      const other = pods.find(({ pod }) => revisionOfPod(pod) !== after);
      if (other === undefined || new Set(pods.map(({ group }) => group)).size > wanted) return undefined;
      return `currentRevision becomes ${after} while Pod ${other.name} is of ${revisionOfPod(other.pod)}`;
    },
  }),
};
