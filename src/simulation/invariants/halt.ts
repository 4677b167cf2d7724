import type { Invariant } from './invariant.ts';
import { revisionOfPod } from './scene.ts';
import { isAvailable, poolKey, unitKey } from './units.ts';
import { ownImagePatch } from './write-kinds.ts';

export const halt: Invariant = {
  id: 'I6',
  rule: 'After a unit failed on a revision, no healthy unit is patched to that revision (under role updates: none of that Role).',
  begin: () => ({
    before: (judged) => {
      const { scene } = judged;
      const { modelServing } = scene;
      const patched = ownImagePatch(judged);
      if (patched === undefined || modelServing === undefined) return undefined;
      const target = revisionOfPod(patched.pod);
      const failure = modelServing.status?.failures?.find(
        (it) => it.revision === target && (it.role === undefined || it.role === patched.role),
      );
      if (failure === undefined || !isAvailable(scene, unitKey(modelServing, patched))) return undefined;
      if (failure.group === patched.group && poolKey(modelServing, patched) === '') return undefined;
      return `Pod ${patched.name} is fed to revision ${target}, on which group ${failure.group} has failed`;
    },
  }),
};
