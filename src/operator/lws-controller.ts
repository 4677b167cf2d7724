import { type EventRecorder, isApiError, type KubeClient, type Log, type WorkQueue } from '../kube/index.ts';
import {
  decideLws,
  type LeaderWorkerSet,
  type LwsEvent,
  type LwsWrite,
  leaderWorkerSetApiVersion,
  leaderWorkerSetKind,
  lwsEvent,
} from '../lws/index.ts';
import { controllerOf, type KubeObject, keyOf, refOf } from '../objects/index.ts';
import { createBoundedMap } from './bounded-map.ts';
import type { CacheSet } from './caches.ts';
import { leaderWorkerSets, modelServings } from './resources.ts';

interface LwsParts {
  readonly client: KubeClient;
  readonly caches: CacheSet;
  /** Of its own: keys are names of LeaderWorkerSets. */
  readonly queue: WorkQueue;
  readonly recorder: EventRecorder;
  readonly log: Log;
  readonly enabled: boolean;
}

/** Runs the adapter while LeaderWorkerSets exist in the cluster; without their CRD its queue stays empty. */
export interface LwsController {
  /** Takes up work. The returned function takes no more and resolves when what is under way has ended. */
  run(): () => Promise<void>;
}

/** Registers its handlers, so call it before the caches start. */
export const createLwsController = ({ client, caches, queue, recorder, log, enabled }: LwsParts): LwsController => {
  if (!enabled) return { run: () => () => Promise.resolve() };
  const cache = caches.leaderworkersets;
  // Names of events sent; one that is forgotten is sent again and exists already.
  const told = createBoundedMap<true>(1000);
  cache.onChange(({ object }) => queue.add(keyOf(refOf(object))));
  caches.modelservings.onChange((change) => {
    const versions = change.type === 'updated' ? [change.object, change.previous] : [change.object];
    // Also one that nobody controls: a LeaderWorkerSet may wait for its name.
    if (versions.some(mayConcern)) queue.add(keyOf(refOf(change.object)));
  });

  const send = async (write: LwsWrite): Promise<void> => {
    switch (write.kind) {
      case 'create':
        caches.modelservings.observeWritten(await client.create(modelServings, write.object));
        return;
      case 'patch':
        caches.modelservings.observeWritten(
          await client.patch(modelServings, write.ref, { type: 'merge', body: write.body }),
        );
        return;
      case 'status':
        cache.observeWritten(
          await client.patch(
            leaderWorkerSets,
            write.ref,
            { type: 'merge', body: write.body },
            { subresource: 'status' },
          ),
        );
        return;
    }
  };

  const tell = async (lws: LeaderWorkerSet, event: LwsEvent): Promise<void> => {
    if (told.get(event.name) !== undefined) return;
    const about = { ...lws, apiVersion: leaderWorkerSetApiVersion, kind: leaderWorkerSetKind };
    if (await recorder.record({ ...event, type: 'Warning', about })) told.set(event.name, true);
  };

  const handle = async (key: string): Promise<void> => {
    const lws = cache.get(key);
    if (lws === undefined) return;
    const { write, events } = decideLws({ leaderWorkerSet: lws, modelServing: caches.modelservings.get(key) });
    for (const event of events) await tell(lws, event);
    if (write === undefined) return queue.forget(key);
    try {
      await send(write);
    } catch (error) {
      if (!isApiError(error)) throw error;
      log.warn(
        { err: error, leaderWorkerSet: key },
        `${write.kind} for LeaderWorkerSet ${key} failed: ${error.message}`,
      );
      if (error.code === 'invalid' || error.code === 'bad-request' || error.code === 'forbidden') {
        await tell(
          lws,
          lwsEvent(lws, 'ModelServingRefused', `the API server refuses its ModelServing: ${error.message}`),
        );
      }
      // Whatever it was, the next decision is taken on what the watches tell by then.
      return queue.addRateLimited(key);
    }
    log.info({ leaderWorkerSet: key }, `${write.kind} for LeaderWorkerSet ${key}`);
    queue.forget(key);
    queue.add(key);
  };

  return { run: () => queue.run(1, handle) };
};

const mayConcern = (modelServing: KubeObject): boolean => {
  const owner = controllerOf(modelServing);
  return owner === undefined || owner.kind === leaderWorkerSetKind;
};
