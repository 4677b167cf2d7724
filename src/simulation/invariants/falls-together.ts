import { effectiveRecoveryPolicy } from '../../api/index.ts';
import type { Invariant } from './invariant.ts';
import { instanceKey } from './units.ts';
import { ownPodWrite } from './write-kinds.ts';

export const fallsTogether: Invariant = {
  id: 'I21, I22',
  rule: 'Under a recovery policy nothing is filled beside survivors: an instance that was once whole and lost a Pod goes to the end first.',
  begin: () => ({
    before: (judged) => {
      const { scene } = judged;
      const made = ownPodWrite(judged, 'create');
      if (made === undefined || scene.recent().some(({ spec }) => effectiveRecoveryPolicy(spec) === 'None'))
        return undefined;
      const record = scene.records().find((it) => instanceKey(it) === instanceKey(made));
      return record === undefined
        ? undefined
        : `Pod ${made.name} is made although ${instanceKey(made)} was whole and has not gone`;
    },
  }),
};
