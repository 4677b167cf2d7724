import { readMarker } from '../../rollout/index.ts';
import type { Invariant } from './invariant.ts';
import { revisionOfPod } from './scene.ts';
import { ownImagePatch } from './write-kinds.ts';

export const oneWrite: Invariant = {
  id: 'I11',
  rule: 'An image patch carries the marker and the revision label of its target in the same write.',
  begin: () => ({
    before: (judged) => {
      const patched = ownImagePatch(judged);
      if (patched === undefined) return undefined;
      const ownerUID = patched.pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ?? '';
      const reading = readMarker(patched.pod, ownerUID);
      if (reading.state !== 'valid') return `Pod ${patched.name} got images without a valid marker`;
      const { target, phase } = reading.marker;
      if (phase !== 'Patched') return `Pod ${patched.name} got images, and its marker says ${phase}`;
      if (revisionOfPod(patched.pod) !== target) return `Pod ${patched.name} got images of ${target} without its label`;
      return undefined;
    },
  }),
};
