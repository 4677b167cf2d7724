import { inPlaceUpdateStateAnnotation, revisionLabel } from '../../../src/api/index.ts';
import { refOf, uidOf } from '../../../src/objects/index.ts';
import type { Effect } from '../../../src/rollout/index.ts';
import { scalesToNothing, unlabels } from './habitats.ts';
import {
  containersOf,
  isImagePatch,
  livesIn,
  type Mutant,
  misdoes,
  overdoes,
  type PodLike,
  withMember,
} from './mutant.ts';

const annotationPath = ['metadata', 'annotations', inPlaceUpdateStateAnnotation];

export const writes: readonly Mutant[] = [
  misdoes('a delete names no UID', (effect) => (effect.kind === 'delete' ? { ...effect, uid: '' } : effect)),
  misdoes('a patch carries no resourceVersion', (effect) =>
    effect.kind === 'patch'
      ? { ...effect, body: withMember(effect.body, ['metadata', 'resourceVersion'], undefined) }
      : effect,
  ),
  misdoes('images go without the marker', (effect) =>
    isImagePatch(effect) ? { ...effect, body: withMember(effect.body, annotationPath, undefined) } : effect,
  ),
  misdoes('images go without the revision label', (effect) =>
    isImagePatch(effect)
      ? { ...effect, body: withMember(effect.body, ['metadata', 'labels', revisionLabel], undefined) }
      : effect,
  ),
  misdoes('another image than the template says is patched in', (effect) =>
    isImagePatch(effect)
      ? {
          ...effect,
          body: withMember(
            effect.body,
            ['spec', 'containers'],
            containersOf(effect.body).map((it) => ({ ...it, image: 'engine:v1' })),
          ),
        }
      : effect,
  ),
  misdoes('a patch sets more of the spec than images', (effect) =>
    isImagePatch(effect)
      ? { ...effect, body: withMember(effect.body, ['spec', 'activeDeadlineSeconds'], 86_400) }
      : effect,
  ),
  misdoes('a Pod is made with a wrong GROUP_SIZE', (effect) => {
    if (effect.kind !== 'create' || effect.resource !== 'pods') return effect;
    const pod = effect.object as PodLike;
    const containers = pod.spec.containers.map((it) => ({ ...it, env: [{ name: 'GROUP_SIZE', value: '9' }] }));
    return { ...effect, object: { ...pod, spec: { ...pod.spec, containers } } as typeof effect.object };
  }),
  misdoes('a Pod is labelled with a revision it was not made from', (effect, { modelServing }) =>
    effect.kind === 'create' && effect.resource === 'pods'
      ? {
          ...effect,
          object: withMember(
            effect.object,
            ['metadata', 'labels', revisionLabel],
            modelServing.status?.updateRevision ?? 'none',
          ) as typeof effect.object,
        }
      : effect,
  ),
  misdoes('Services are never made', (effect) =>
    effect.kind === 'create' && effect.resource === 'services' ? undefined : effect,
  ),
  livesIn(
    scalesToNothing,
    misdoes('Services of what is gone stay', (effect) =>
      effect.kind === 'delete' && effect.resource === 'services' ? undefined : effect,
    ),
  ),
  livesIn(
    unlabels,
    misdoes('labels are never put back', (effect) => (effect.key.startsWith('labels/') ? undefined : effect)),
  ),
  overdoes('the history is deleted while it is in use', ({ children }) =>
    children.controllerRevisions.slice(0, 1).map(
      (revision): Effect => ({
        kind: 'delete',
        key: `mutant/${uidOf(revision)}`,
        resource: 'controllerrevisions',
        ref: refOf(revision),
        uid: uidOf(revision),
        why: 'mutant',
      }),
    ),
  ),
];
