import { nameLabel } from '../api/index.ts';
import { isApiError, type KubeClient } from '../kube/index.ts';
import {
  controllerOf,
  isTerminating,
  type KubeObject,
  keyOf,
  refOf,
  resourceVersionOf,
  uidOf,
} from '../objects/index.ts';
import { type CacheSet, cacheOf, cacheWriter } from './caches.ts';
import type { Doubt, OwnerMemory } from './memory.ts';
import { resourceOf } from './resources.ts';

const nameOfDoubt = ({ resource, ref }: Doubt): string => `${resource}/${keyOf(ref)}`;

/** From now on the cached view of this object is not good enough for a decision. */
export const raiseDoubt = (owner: OwnerMemory, doubt: Doubt): void => {
  owner.doubts.set(nameOfDoubt(doubt), doubt);
};

/** Whose doubts, and who they concern. */
interface Settlement {
  readonly client: KubeClient;
  readonly caches: CacheSet;
  readonly owner: OwnerMemory;
  readonly ownerUid: string;
}

/**
 * Reads every object in doubt from the API server and takes what is found into the caches. After a conflict, a timeout
 * or a 5xx the next decision so rests on a state at least as new as that answer, whatever the watch does. A write whose
 * answer was lost may still be committed after this read; that is safe because every write carries what it was decided
 * on: a resourceVersion, a UID, or a name that can be taken once.
 *
 * @throws ApiError where a read fails; what is not settled stays in doubt
 */
export const settleDoubts = async (settlement: Settlement): Promise<void> => {
  const { doubts } = settlement.owner;
  const ends = await Promise.allSettled(
    [...doubts].map(async ([name, doubt]) => {
      await settle(settlement, doubt);
      doubts.delete(name);
    }),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
};

const settle = async ({ client, caches, ownerUid }: Settlement, doubt: Doubt): Promise<void> => {
  const { resource, ref } = doubt;
  const writer = cacheWriter(caches);
  // Taken before the read: a 404 says that this UID is gone, but nothing of an object created after it.
  const before = cacheOf(caches, resource).get(keyOf(ref));
  const live = await find(client, doubt);
  if (before !== undefined && (live === undefined || uidOf(live) !== uidOf(before))) {
    writer.deleted(resource, { key: keyOf(ref), uid: uidOf(before) });
  }
  if (live === undefined) return;
  writer.written(resource, isHidden(live, ownerUid) ? await reveal(client, doubt, live) : live);
};

const find = async (client: KubeClient, { resource, ref }: Doubt): Promise<KubeObject | undefined> => {
  try {
    return await client.get<KubeObject>(resourceOf(resource), ref);
  } catch (error) {
    if (isApiError(error, 'not-found')) return undefined;
    throw error;
  }
};

/**
 * A child of ours whose name label someone removed: the watch does not show it, so it would look lost. Children are
 * ours by owner UID, not by label.
 */
const isHidden = (live: KubeObject, ownerUid: string): boolean =>
  controllerOf(live)?.uid === ownerUid && live.metadata.labels?.[nameLabel] === undefined && !isTerminating(live);

/** Puts the name label back and nothing else, so that the watch shows the object again; the rest is decided. */
const reveal = (client: KubeClient, doubt: Doubt, live: KubeObject): Promise<KubeObject> => {
  const labels = { [nameLabel]: controllerOf(live)?.name };
  const body = { metadata: { resourceVersion: resourceVersionOf(live), labels } };
  return client.patch<KubeObject>(resourceOf(doubt.resource), refOf(live), { type: 'merge', body });
};
