import type { CacheChange, WorkQueue } from '../kube/index.ts';
import { isTerminating, type KubeObject, keyOf, refOf, uidOf } from '../objects/index.ts';
import type { ChildResource } from '../rollout/index.ts';
import { type CacheSet, keysOf } from './caches.ts';
import { raiseDoubt } from './doubts.ts';
import type { MemoryStore } from './memory.ts';
import type { Pace } from './pace.ts';

interface Followers {
  readonly caches: CacheSet;
  readonly queue: Pick<WorkQueue, 'add'>;
  readonly pace: Pace;
  readonly memory: MemoryStore;
}

/** Registers the handlers: they enqueue keys and fold what decisions may not miss into the memory, nothing else. */
export const followChanges = (followers: Followers): void => {
  const { caches, queue, memory } = followers;
  caches.modelservings.onChange(({ type, object }) => {
    if (type === 'deleted') memory.forgetOwner(uidOf(object));
    queue.add(keyOf(refOf(object)));
  });
  const children = [
    ['services', caches.services],
    ['controllerrevisions', caches.controllerrevisions],
    ['podgroups', caches.podgroups],
  ] as const;
  for (const [resource, cache] of children) {
    cache.onChange((change) => childChanged(followers, resource, change));
  }
  // What may be a gang has changed, for every one of them.
  caches.podgroups.onAvailability(() => {
    for (const modelServing of caches.modelservings.list()) queue.add(keyOf(refOf(modelServing)));
  });
  caches.pods.onChange((change) => {
    if (change.type === 'deleted') memory.forgetPod(uidOf(change.object));
    else memory.seePod(change.object);
    childChanged(followers, 'pods', change);
  });
};

const childChanged = (followers: Followers, resource: ChildResource, change: CacheChange<KubeObject>): void => {
  const previous = change.type === 'updated' ? keysOf(change.object).concat(keysOf(change.previous)) : [];
  for (const key of new Set([...keysOf(change.object), ...previous])) {
    if (change.type === 'deleted' && !isTerminating(change.object)) doubtEnd(followers, resource, change.object, key);
    followers.pace.add(key);
  }
};

/**
 * An object that goes without having been terminating may only have lost our label: it is read once before it counts
 * as lost. So do objects that went while the watch was broken; reading those costs little and is never wrong.
 */
const doubtEnd = ({ caches, memory }: Followers, resource: ChildResource, object: KubeObject, key: string): void => {
  const owner = caches.modelservings.get(key);
  if (owner !== undefined) raiseDoubt(memory.owner(uidOf(owner)), { resource, ref: refOf(object) });
};
