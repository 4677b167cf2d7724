import { decodeUnits, effectiveUpdateMethod, type ModelServing } from '../../api/index.ts';
import type { Invariant } from './invariant.ts';
import { instanceKey, isSurplus } from './units.ts';
import { isOwnStatusWrite } from './write-kinds.ts';

export const leaving: Invariant = {
  id: 'I10',
  rule: 'With updateMethod InPlace, and where nothing but images was edited, no role instance is set to leave but by scaling.',
  begin: () => ({
    before: (judged) => {
      if (!isOwnStatusWrite(judged)) return undefined;
      const { scene, entry } = judged;
      const wasLeaving = new Set(
        scene
          .records()
          .filter((it) => it.leaving)
          .map(instanceKey),
      );
      if (scene.recent().some(({ spec }) => effectiveUpdateMethod(spec) === 'Recreate')) return undefined;
      const wrong = decodeUnits((entry.object as ModelServing).status?.units).find(
        (record) => record.leaving && !wasLeaving.has(instanceKey(record)) && !isSurplus(scene, record),
      );
      return wrong === undefined ? undefined : `${instanceKey(wrong)} is set to leave, and nobody asked for that`;
    },
  }),
};
