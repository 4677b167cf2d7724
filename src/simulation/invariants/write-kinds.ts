import { parsePodName } from '../../api/index.ts';
import type { LedgerEntry } from '../../cluster/index.ts';
import { isTerminating, type Pod } from '../../objects/index.ts';
import type { Judged } from './invariant.ts';
import type { ScenePod } from './scene.ts';

const isPodWrite = ({ resource, subresource }: LedgerEntry): boolean =>
  resource === 'pods' && subresource === undefined;

/** The Pod of an own write, as it is after it. */
export const ownPodWrite = (
  { entry, isOwn, scene }: Judged,
  verb: LedgerEntry['verb'],
): (ScenePod & { readonly previous: Pod | undefined }) | undefined => {
  if (!isOwn || entry.verb !== verb || !isPodWrite(entry)) return undefined;
  const id = parsePodName(scene.options.name, entry.name);
  if (id === undefined) return undefined;
  return { ...id, name: entry.name, pod: entry.object as Pod, previous: entry.previous as Pod | undefined };
};

/** The write of an operator that first takes a Pod down, with the Pod as it was. */
export const ownTakeDown = (judged: Judged): ScenePod | undefined => {
  const found = ownPodWrite(judged, 'delete');
  if (found?.previous === undefined || isTerminating(found.previous)) return undefined;
  return { ...found, pod: found.previous };
};

/** An operator's patch of a Pod's images: which containers, from what to what. */
export const ownImagePatch = (
  judged: Judged,
): (ScenePod & { readonly changes: readonly ImageChange[] }) | undefined => {
  const found = ownPodWrite(judged, 'patch');
  if (found?.previous === undefined) return undefined;
  const changes = imageChanges(found.previous, found.pod);
  return changes.length === 0 ? undefined : { ...found, changes };
};

export interface ImageChange {
  readonly container: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export const imageChanges = (before: Pod, after: Pod): readonly ImageChange[] =>
  after.spec.containers.flatMap(({ name, image }) => {
    const from = before.spec.containers.find((it) => it.name === name)?.image;
    return from === image ? [] : [{ container: name, from, to: image }];
  });

/** The status of the ModelServing before and after an own write of it. */
export const isOwnStatusWrite = ({ entry, isOwn }: Judged): boolean =>
  isOwn && entry.resource === 'modelservings' && entry.subresource === 'status';
