import type { Pod } from '../../objects/index.ts';
import { uidOf } from '../../objects/index.ts';
import type { Invariant } from './invariant.ts';
import { revisionOfPod } from './scene.ts';
import { imageChanges, ownImagePatch } from './write-kinds.ts';

export const patchedOnce: Invariant = {
  id: 'I20',
  rule: 'No container is patched twice for one target, unless somebody else changed its image in between.',
  begin: () => {
    const done = new Map<string, string>();
    return {
      before: (judged) => {
        const { entry, isOwn } = judged;
        const patched = ownImagePatch(judged);
        if (patched === undefined) {
          if (!isOwn && entry.resource === 'pods' && entry.previous !== undefined) {
            if (imageChanges(entry.previous as Pod, entry.object as Pod).length > 0) done.delete(uidOf(entry.object));
          }
          return undefined;
        }
        const uid = uidOf(patched.pod);
        const target = revisionOfPod(patched.pod) ?? '';
        const again = done.get(uid) === target;
        done.set(uid, target);
        return again ? `Pod ${patched.name} is patched a second time for revision ${target}` : undefined;
      },
    };
  },
};
