import { isPaused } from '../../api/index.ts';
import type { Invariant } from './invariant.ts';
import { isAvailable, unitKey } from './units.ts';
import { ownImagePatch } from './write-kinds.ts';

export const pause: Invariant = {
  id: 'I9',
  rule: 'While the ModelServing is paused, no unit that serves is patched with another image.',
  begin: () => ({
    before: (judged) => {
      const { scene } = judged;
      const { modelServing } = scene;
      const patched = ownImagePatch(judged);
      if (patched === undefined || modelServing === undefined || !scene.recent().every(isPaused)) return undefined;
      const before = scene.pods.get(patched.name);
      if (before === undefined || scene.wasTouched(before)) return undefined;
      if (!isAvailable(scene, unitKey(modelServing, patched))) return undefined;
      return `Pod ${patched.name} starts an update although the ModelServing is paused`;
    },
  }),
};
