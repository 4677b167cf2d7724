import { type ModelServing, modelServingApiVersion, modelServingResource } from '../api/index.ts';
import { createClient, createEventRecorder, createWorkQueue, isApiError } from '../kube/index.ts';
import { keyOf, refOf } from '../objects/index.ts';
import { sleep } from '../platform/index.ts';
import type { DecideInput, Decision, Effect, EventIntent, Wait } from '../rollout/index.ts';
import { cacheWriter } from './caches.ts';
import { followChanges } from './follow-changes.ts';
import { answerProbe } from './health.ts';
import { createLwsController } from './lws-controller.ts';
import { createMemory } from './memory.ts';
import { createMetrics } from './metrics.ts';
import { catchUp, currentVersions, learnKinds, openCaches, silenceOf, startCaches, stopCaches } from './open-caches.ts';
import type { Operator, OperatorParts } from './operator-types.ts';
import { createPace } from './pace.ts';
import type { Outcome } from './perform-effect.ts';
import { type ReconcileContext, reconcile } from './reconcile.ts';
import { createCrdWatch } from './watch-crd.ts';

/** A key that fails again and again is tried once a minute. */
const longestBackOffMs = 60_000;
/** Who the events come from: kthena's name, so that filters of users keep working. */
const component = 'modelserving-controller';
/** How long to wait before the API server is asked again at start. */
const retryStartMs = 1000;

/** Puts the parts together; nothing happens before `start`. */
export const createOperator = (parts: OperatorParts): Operator => {
  const { platform, log, options = {} } = parts;
  const { clock } = platform;
  const client = createClient({ transport: parts.transport, platform, fieldManager: 'modelserving' });
  const caches = openCaches({ client, platform, log, namespace: options.namespace, freeze: options.freeze });
  const queue = createWorkQueue({ platform, log, maxDelayMs: longestBackOffMs });
  const pace = createPace(queue, clock);
  const memory = createMemory(clock, parts.seePod);
  const waits = new Map<string, readonly Wait[]>();
  const metrics = createMetrics({
    queueDepth: () => queue.depth,
    waits: () => countReasons(waits),
    silence: () => silenceOf(caches),
  });
  let state: 'new' | 'starting' | 'running' | 'ended' = 'new';
  let stopQueue: (() => Promise<void>) | undefined;

  const decide = (input: DecideInput): Decision => {
    const startedAt = clock.monotonic();
    const took = (): number => (clock.monotonic() - startedAt) / 1000;
    try {
      const decision = parts.decide(input);
      metrics.decided('decided', took());
      return decision;
    } catch (cause) {
      metrics.decided('threw', took());
      throw new Error(`the decision for ${keyOf(refOf(input.modelServing))} failed`, { cause });
    }
  };

  const report = ({ effect, outcome }: { effect: Effect; outcome: Outcome | { result: 'held-back' } }): void => {
    metrics.effect(effect, outcome.result);
    const fields = { verb: effect.kind, resource: effect.resource, effect: effect.key, outcome: outcome.result };
    if ('message' in outcome)
      log.warn({ ...fields, why: effect.why, answer: outcome.message }, `${effect.kind} failed`);
    else if (outcome.result === 'done') log.info({ ...fields, why: effect.why }, `${effect.kind} ${effect.resource}`);
  };

  const recorder = createEventRecorder({ client, platform, log, component });
  const sendEvent = async (about: ModelServing, event: EventIntent): Promise<boolean> => {
    // Objects of a list come without kind and apiVersion.
    const typed = { ...about, apiVersion: modelServingApiVersion, kind: modelServingResource.kind };
    const sent = await recorder.record({ ...event, about: typed });
    metrics.event(sent ? 'sent' : 'failed');
    return sent;
  };

  const noteWaits = (key: string, next: readonly Wait[]): void => {
    const text = (list: readonly Wait[]): string => list.map((wait) => `${wait.unit}: ${wait.message}`).join('; ');
    const now = text(next);
    if (now !== text(waits.get(key) ?? []) && next.length > 0) log.info({ key }, `waits for: ${now}`);
    waits.set(key, next);
  };

  const context: ReconcileContext = {
    client,
    caches: cacheWriter(caches),
    cacheSet: caches,
    memory,
    clock,
    queue,
    pace,
    decide,
    monotonic: clock.monotonic,
    parallel: options.parallelEffects ?? 16,
    sendEvent,
    report,
    reportStatus: (outcome) => {
      metrics.status(outcome.result);
      if ('message' in outcome) log.warn({ outcome: outcome.result }, `status was not written: ${outcome.message}`);
    },
    decided: (key, _input, decision) => noteWaits(key, decision.waits),
    vanished: (key) => {
      waits.delete(key);
      pace.forget(key);
    },
  };

  followChanges({ caches, queue, pace, memory });
  const lwsQueue = createWorkQueue({ platform, log, maxDelayMs: longestBackOffMs });
  const lws = createLwsController({
    ...{ client, caches, queue: lwsQueue, recorder, log },
    enabled: options.leaderWorkerSets ?? true,
  });

  const crdWatch = createCrdWatch({
    client,
    platform,
    log,
    onKept: () => {
      memory.statusPruned = false;
      crdWatch.stop();
      for (const modelServing of caches.modelservings.list()) queue.add(keyOf(refOf(modelServing)));
    },
  });

  const handle = async (key: string): Promise<void> => {
    try {
      await reconcile(context, key);
    } finally {
      if (memory.statusPruned) crdWatch.start();
      else crdWatch.stop();
    }
  };

  /** Where every resource stands now; asked until the API server answers. */
  const present = async (): Promise<readonly string[]> => {
    while (!hasEnded()) {
      try {
        await learnKinds(caches);
        return await currentVersions(client, options.namespace);
      } catch (err) {
        if (!isApiError(err)) throw err;
        log.warn({ err }, `cannot read from the API server, trying again: ${err.message}`);
        await sleep(platform, retryStartMs);
      }
    }
    return [];
  };

  const end = (): void => {
    state = 'ended';
    stopCaches(caches);
    crdWatch.stop();
  };

  return {
    start: async () => {
      if (state !== 'new') throw new TypeError('an operator starts once');
      state = 'starting';
      const versions = await present();
      if (hasEnded()) return;
      startCaches(caches);
      await catchUp(caches, versions);
      if (hasEnded()) return;
      state = 'running';
      const stops = [queue.run(options.concurrency ?? 5, handle), lws.run()];
      stopQueue = async () => {
        await Promise.all(stops.map((stop) => stop()));
      };
      log.info({ modelServings: caches.modelservings.list().length }, 'the operator is running');
    },
    stop: async () => {
      const stopping = stopQueue?.();
      end();
      await stopping;
    },
    kill: () => {
      void stopQueue?.();
      end();
    },
    probe: (path) => answerProbe({ alive: () => state !== 'ended', ready: () => state === 'running', metrics }, path),
    waits: () => waits,
  };

  function hasEnded(): boolean {
    return state === 'ended';
  }
};

const countReasons = (waits: ReadonlyMap<string, readonly Wait[]>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { reason } of [...waits.values()].flat()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
};
