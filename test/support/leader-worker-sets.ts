import { readFileSync } from 'node:fs';
import { type Resource, resources } from '../../src/kube/index.ts';
import type { LeaderWorkerSet, LeaderWorkerSetSpec } from '../../src/lws/index.ts';
import { type CustomResourceDefinition, isPlainObject } from '../../src/objects/index.ts';
import type { World } from '../../src/simulation/index.ts';

export const leaderWorkerSets: Resource<LeaderWorkerSet> = {
  group: 'leaderworkerset.x-k8s.io',
  version: 'v1',
  plural: 'leaderworkersets',
  kind: 'LeaderWorkerSet',
  namespaced: true,
};

const read = <T>(path: string): T => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as T;

export const installLws = async (world: World): Promise<void> => {
  const crd = read<CustomResourceDefinition>('../fixtures/lws/leader-worker-set.json');
  await world.finish(world.client.create(resources.customresourcedefinitions, crd));
  await world.run(1_000);
};

export const removeLws = async (world: World): Promise<void> => {
  const name = 'leaderworkersets.leaderworkerset.x-k8s.io';
  await world.finish(world.client.delete(resources.customresourcedefinitions, { name }));
  await world.run(1_000);
};

/** The LeaderWorkerSet that kthena's controller had turned into a ModelServing. */
export const lwsByKthena = (): LeaderWorkerSet => {
  const { objects } = read<{ readonly objects: readonly LeaderWorkerSet[] }>('../fixtures/kthena/lws.json');
  const found = objects.find((it) => it.kind === 'LeaderWorkerSet');
  if (found === undefined) throw new Error('lws.json holds no LeaderWorkerSet');
  return found;
};

/** Two groups of a leader and two workers, unless more is said. */
export const aLeaderWorkerSet = (
  spec: Partial<Omit<LeaderWorkerSetSpec, 'leaderWorkerTemplate'>> = {},
  template: Partial<LeaderWorkerSetSpec['leaderWorkerTemplate']> = {},
): LeaderWorkerSet => ({
  apiVersion: 'leaderworkerset.x-k8s.io/v1',
  kind: 'LeaderWorkerSet',
  metadata: { name: 'lws', namespace: 'default' },
  spec: {
    replicas: 2,
    ...spec,
    leaderWorkerTemplate: { size: 3, workerTemplate: templateOf('engine:v1'), ...template },
  },
});

export const templateOf = (image: string): LeaderWorkerSetSpec['leaderWorkerTemplate']['workerTemplate'] => ({
  metadata: { labels: { app: 'llm' } },
  spec: { containers: [{ name: 'c', image, ports: [{ containerPort: 8000 }] }] },
});

export const createLws = (world: World, lws: LeaderWorkerSet): Promise<LeaderWorkerSet> =>
  world.finish(world.client.create(leaderWorkerSets, lws));

export const liveLws = (world: World, namespace = 'default'): Promise<LeaderWorkerSet> =>
  world.finish(world.client.get(leaderWorkerSets, { namespace, name: 'lws' }));

/** A merge patch of its spec. */
export const editLws = async (world: World, spec: object): Promise<void> => {
  if (!isPlainObject(spec)) throw new TypeError('a spec is an object');
  const ref = { namespace: 'default', name: 'lws' };
  await world.finish(world.client.patch(leaderWorkerSets, ref, { type: 'merge', body: { spec } }));
};
