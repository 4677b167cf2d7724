import { revisionLabel } from '../api/index.ts';
import { isApiError, type KubeClient, resources } from '../kube/index.ts';
import {
  controllerOf,
  isTerminating,
  jsonEqual,
  type KubeObject,
  keyOf,
  nameOf,
  type Pod,
  refOf,
  resourceVersionOf,
  uidOf,
} from '../objects/index.ts';
import { type ChildResource, type Effect, heldByStranger } from '../rollout/index.ts';
import type { CacheWriter } from './caches.ts';
import type { MemoryStore } from './memory.ts';
import { resourceOf } from './resources.ts';

/** How one effect ended. The names stand in metrics and logs. */
export type Outcome =
  | { readonly result: 'done' }
  /** The server understood and said no (403, 422, …): the same write may be refused again, so it backs off. */
  | { readonly result: 'refused'; readonly message: string }
  /** The world differs from what was decided on, or nobody knows whether the write happened: read, decide anew. */
  | { readonly result: 'doubtful'; readonly message: string }
  /** The server did nothing and asks to come back later. */
  | { readonly result: 'later'; readonly message: string };

export interface EffectContext {
  readonly client: KubeClient;
  readonly caches: CacheWriter;
  readonly memory: MemoryStore;
}

/**
 * Sends one effect, once, and takes the answer into the cache and the memory. Rejects only with what is no answer of
 * the API server, that is, with a bug.
 */
export const performEffect = async (context: EffectContext, effect: Effect): Promise<Outcome> => {
  try {
    return await send(context, effect);
  } catch (error) {
    return outcomeOf(error);
  }
};

const done: Outcome = { result: 'done' };

const send = (context: EffectContext, effect: Effect): Promise<Outcome> => {
  switch (effect.kind) {
    case 'create':
      return create(context, effect);
    case 'patch':
      return patch(context, effect);
    case 'delete':
      return remove(context, effect);
    case 'read':
      return read(context, effect);
  }
};

type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { readonly kind: Kind }>;

const create = async (context: EffectContext, effect: EffectOf<'create'>): Promise<Outcome> => {
  const resource = resourceOf(effect.resource);
  try {
    const answer = await context.client.create(resource, effect.object);
    context.caches.written(effect.resource, answer);
    return done;
  } catch (error) {
    if (!isApiError(error, 'already-exists')) throw error;
    const live = await context.client.get(resource, refOf(effect.object));
    return afterAlreadyExists(effect, live, context.caches.written(effect.resource, live));
  }
};

/** AlreadyExists is success only if what exists is what was meant. */
const afterAlreadyExists = (effect: EffectOf<'create'>, live: KubeObject, visible: boolean): Outcome => {
  const isOurs = controllerOf(live)?.uid === controllerOf(effect.object)?.uid;
  const message = (state: string): string => `${effect.resource} "${nameOf(live)}" already exists and ${state}`;
  if (visible && isSame(live, effect.object)) return done;
  if (isTerminating(live)) return { result: 'doubtful', message: message('is terminating') };
  if (!isOurs) return { result: 'refused', message: message(heldByStranger) };
  return { result: 'doubtful', message: message(visible ? 'is another one' : 'has lost its name label') };
};

/**
 * Whether an object that already exists is the one a create meant: ours, of the same revision, and here to stay. A
 * ControllerRevision must hold the same data too, as its name is a hash that can collide.
 */
const isSame = (live: KubeObject, wanted: KubeObject): boolean =>
  !isTerminating(live) &&
  controllerOf(live)?.uid === controllerOf(wanted)?.uid &&
  live.metadata.labels?.[revisionLabel] === wanted.metadata.labels?.[revisionLabel] &&
  jsonEqual(dataOf(live), dataOf(wanted));

const dataOf = (object: KubeObject): unknown => ('data' in object ? object.data : undefined);

const patch = async (context: EffectContext, effect: EffectOf<'patch'>): Promise<Outcome> => {
  try {
    const { type, body } = effect;
    const answer = await context.client.patch(resourceOf(effect.resource), effect.ref, { type, body });
    context.caches.written(effect.resource, answer);
    if (effect.resource === 'pods') noteImages(context.memory, effect, answer as Pod);
    return done;
  } catch (error) {
    return goneOr(context, effect, error);
  }
};

/** What the server made of an own image patch: admission may have rewritten it, and that is not drift. */
const noteImages = (memory: MemoryStore, effect: EffectOf<'patch'>, answer: Pod): void => {
  if (typeof effect.body !== 'object' || effect.body === null || !('spec' in effect.body)) return;
  memory.patchAnswered(
    effect.uid,
    Object.fromEntries(answer.spec.containers.map(({ name, image }) => [name, image ?? ''])),
  );
};

const remove = async (context: EffectContext, effect: EffectOf<'delete'>): Promise<Outcome> => {
  const { uid, resourceVersion } = effect;
  try {
    const answer = await context.client.delete(resourceOf(effect.resource), effect.ref, { uid, resourceVersion });
    context.caches.deleted(effect.resource, { key: keyOf(effect.ref), uid }, answer);
    return done;
  } catch (error) {
    if (isApiError(error, 'not-found')) {
      context.caches.deleted(effect.resource, { key: keyOf(effect.ref), uid });
      return done;
    }
    throw error;
  }
};

const read = async (context: EffectContext, effect: EffectOf<'read'>): Promise<Outcome> => {
  const { uid, ref } = effect;
  try {
    const pod = await context.client.get(resources.pods, ref);
    if (uidOf(pod) === uid) {
      context.memory.podRead(uid, resourceVersionOf(pod));
    } else {
      context.caches.deleted('pods', { key: keyOf(ref), uid });
      context.memory.podRead(uid, undefined);
    }
    context.caches.written('pods', pod);
    return done;
  } catch (error) {
    if (!isApiError(error, 'not-found')) throw error;
    context.caches.deleted('pods', { key: keyOf(ref), uid });
    context.memory.podRead(uid, undefined);
    return done;
  }
};

/** A patch answered 404: the object of this UID is gone for good, so the cache may know it before the watch says so. */
const goneOr = (
  context: EffectContext,
  effect: { readonly resource: ChildResource; readonly ref: EffectOf<'patch'>['ref']; readonly uid: string },
  error: unknown,
): Outcome => {
  if (!isApiError(error, 'not-found')) throw error;
  context.caches.deleted(effect.resource, { key: keyOf(effect.ref), uid: effect.uid });
  return { result: 'doubtful', message: error.message };
};

/** What a failed request means for what comes next. Throws what is not an ApiError. */
export const outcomeOf = (error: unknown): Exclude<Outcome, { readonly result: 'done' }> => {
  if (!isApiError(error)) throw error;
  const { message } = error;
  switch (error.code) {
    case 'bad-request':
    case 'forbidden':
    case 'invalid':
      return { result: 'refused', message };
    case 'unauthorized':
    case 'too-many-requests':
      return { result: 'later', message };
    case 'not-found':
    case 'already-exists':
    case 'conflict':
    case 'gone':
    case 'timeout':
    case 'unavailable':
    case 'internal':
    case 'unreachable':
    case 'malformed':
      return { result: 'doubtful', message };
  }
};
