import { describe, expect, it } from 'vitest';
import { createCluster } from '../../src/cluster/index.ts';
import {
  type CacheChange,
  compareVersions,
  createClient,
  createWatchCache,
  isApiError,
  type KubeClient,
  type ObservedWatchCache,
  resources,
} from '../../src/kube/index.ts';
import { type ConfigMap, keyOf, nameOf, refOf, resourceVersionOf, uidOf } from '../../src/objects/index.ts';
import { fraction, type Platform, type TransportRequest } from '../../src/platform/index.ts';
import {
  createDisturbances,
  createLink,
  createVirtualPlatform,
  type Disturbances,
  type Link,
} from '../../src/simulation/index.ts';

const names = ['a', 'b', 'c', 'd'] as const;
const namespace = 'faults';

interface Actor {
  readonly platform: Platform;
  readonly client: KubeClient;
  readonly cache?: ObservedWatchCache<ConfigMap>;
}

const pick = <T>(platform: Platform, items: readonly T[]): T => {
  const item = items[Math.floor(fraction(platform.random) * items.length)];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
};

/** One write about a random object, its answer folded into the cache; conflicts and broken connections are normal. */
const writeSomething = async ({ platform, client, cache }: Actor): Promise<void> => {
  const ref = { namespace, name: pick(platform, names) };
  const text = String(platform.random.uint32());
  const known = cache?.get(keyOf(ref));
  try {
    const verb = pick(platform, ['write', 'write', 'delete'] as const);
    if (verb === 'delete') {
      const uid = known === undefined ? uidOf(await client.get(resources.configmaps, ref)) : uidOf(known);
      const answer = await client.delete(resources.configmaps, ref, { uid });
      cache?.observeDeleted(keyOf(ref), uid, answer);
    } else if (cache === undefined ? fraction(platform.random) < 0.5 : known === undefined) {
      const created = await client.create(resources.configmaps, { metadata: ref, data: { text } });
      cache?.observeWritten(created);
    } else {
      const body = { data: { text } };
      const patched = await client.patch(resources.configmaps, ref, { type: 'merge', body });
      cache?.observeWritten(patched);
    }
  } catch (error) {
    if (!isApiError(error)) throw error;
  }
};

const isWatch = ({ purpose }: TransportRequest): boolean => purpose === 'watch';

/** A server without WatchList refuses the parameter, as Kubernetes before 1.32 does. */
const withoutWatchList = (disturbances: Disturbances): void => {
  disturbances.add({
    matches: ({ path }) => path.includes('sendInitialEvents'),
    disturbance: { kind: 'refuse', code: 422, reason: 'Invalid', message: 'sendInitialEvents is forbidden' },
  });
};

const disturbSomething = (platform: Platform, link: Link, disturbances: Disturbances): void => {
  switch (pick(platform, ['close', 'stall', 'resume', 'resume', 'resume', 'lose', 'slow', 'refuse'] as const)) {
    case 'close':
      // An outage, long enough for the server to forget what the watch missed.
      disturbances.add({ matches: isWatch, disturbance: { kind: 'lose-request' }, times: 3 });
      link.closeWatches();
      return;
    case 'stall':
      link.stallWatches();
      return;
    case 'resume':
      link.resumeWatches();
      return;
    case 'lose':
      disturbances.add({
        matches: () => true,
        disturbance: { kind: pick(platform, ['lose-reply', 'lose-request'] as const) },
        times: 3,
      });
      return;
    case 'slow':
      disturbances.add({ matches: () => true, disturbance: { kind: 'slow-reply', byMs: 2000 }, times: 10 });
      return;
    case 'refuse':
      disturbances.add({
        matches: () => true,
        disturbance: { kind: 'refuse', code: 429, reason: 'TooManyRequests', message: 'busy', retryAfterSeconds: 1 },
        times: 2,
      });
      return;
  }
};

/** Replays what handlers were told; a change that does not follow from the one before throws. */
const replayed = (): {
  readonly take: (change: CacheChange<ConfigMap>) => void;
  readonly shown: () => readonly string[];
} => {
  const objects = new Map<string, ConfigMap>();
  return {
    take: (change) => {
      const key = keyOf(refOf(change.object));
      const before = objects.get(key);
      if (change.type === 'added') expect(before, `added ${key}`).toBeUndefined();
      else expect(before && uidOf(before), `${change.type} ${key}`).toBe(uidOf(change.object));
      if (change.type === 'updated') expect(change.previous).toBe(before);
      if (change.type === 'deleted') objects.delete(key);
      else objects.set(key, change.object);
    },
    shown: () => versionsOf([...objects.values()]),
  };
};

const versionsOf = (objects: readonly ConfigMap[]): readonly string[] =>
  objects.map((object) => `${nameOf(object)}@${resourceVersionOf(object)}`).sort();

describe('a watch cache of the embedded cluster, with everything going wrong', () => {
  it.each(Array.from({ length: 30 }, (_, seed) => seed + 1))(
    'is never behind its own writes and ends equal to the server (seed %i)',
    async (seed) => {
      const machine = createVirtualPlatform({ seed, ties: 'seeded' });
      // A short history, so that a watch that lags soon has to list again.
      const cluster = createCluster({ platform: machine, historyLimit: 4 });
      const disturbances = createDisturbances();
      if (seed % 2 === 0) withoutWatchList(disturbances);
      const link = createLink({ server: cluster.connect('us'), platform: machine, disturb: disturbances.take });
      const client = createClient({ transport: link, platform: machine });
      const others = {
        platform: machine,
        client: createClient({ transport: cluster.connect('others'), platform: machine }),
      };
      const cache = createWatchCache({
        client,
        platform: machine,
        resource: resources.configmaps,
        namespace,
        freeze: true,
      });
      const replay = replayed();
      // Per key the newest version that was shown of each UID: no object ever gets older.
      const newest = new Map<string, string>();
      cache.onChange((change) => {
        replay.take(change);
        const uid = uidOf(change.object);
        const version = resourceVersionOf(change.object);
        expect(compareVersions(version, newest.get(uid) ?? '0')).toBeGreaterThanOrEqual(0);
        newest.set(uid, version);
      });
      const created = others.client.create(resources.namespaces, { metadata: { name: namespace }, spec: {} });
      await machine.complete(created, { timeoutMs: 10_000 });
      cache.start();
      await machine.complete(cache.whenSynced(), { timeoutMs: 60_000 });

      const work: Promise<void>[] = [];
      for (let i = 0; i < 250; i++) {
        if (fraction(machine.random) < 0.25) disturbSomething(machine, link, disturbances);
        work.push(writeSomething(fraction(machine.random) < 0.5 ? others : { platform: machine, client, cache }));
        await machine.advance(Math.floor(fraction(machine.random) * 800));
        expect(replay.shown()).toEqual(versionsOf(cache.list()));
      }

      disturbances.clear();
      if (seed % 2 === 0) withoutWatchList(disturbances);
      link.resumeWatches();
      await machine.complete(Promise.all(work), { timeoutMs: 600_000 });
      const truth = await machine.complete(others.client.list(resources.configmaps, { namespace }), {
        timeoutMs: 10_000,
      });
      await machine.complete(cache.whenReached(truth.resourceVersion), { timeoutMs: 600_000 });
      expect(versionsOf(cache.list())).toEqual(versionsOf(truth.items));
      expect(cache.stats().handlerErrors).toBe(0);
      cache.stop();
    },
  );
});
