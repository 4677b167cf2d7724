import { expect } from 'vitest';
import type { ModelServing, ModelServingSpec } from '../../src/api/index.ts';
import { resources } from '../../src/kube/index.ts';
import { jsonEqual, nameOf, type Pod, uidOf } from '../../src/objects/index.ts';
import { operatorUser, type World, withImage } from '../../src/simulation/index.ts';
import { rolledOut } from '../scenarios/world.ts';
import type { Recorded, RecordedState } from '../support/recorded.ts';
import { leftByKthena } from './left-by-kthena.ts';

const minute = 60_000;

/** A recorded state some minutes after the operator started on it, and what it looked like before. */
export interface TakenOver {
  readonly world: World;
  /** What was there before the operator: Pods as `livesOf` sees them, and the status. */
  readonly before: { readonly lives: Lives; readonly status: NonNullable<ModelServing['status']> };
  /** Of the ledger, when the operator started. */
  readonly mark: number;
}

export const takenOver = async (
  state: RecordedState,
  change?: (recorded: Recorded) => Recorded,
  options?: Parameters<typeof leftByKthena>[2],
): Promise<TakenOver> => {
  const world = await leftByKthena(state, change, options);
  const before = { lives: livesOf(world), status: world.status() };
  const mark = world.ledger.mark();
  await world.finish(world.startOperator().running);
  await world.run(5 * minute);
  return { world, before, mark };
};

/** By Pod name: UID, node, address and containers with their restarts. Nothing of it changes while a Pod is left alone. */
export type Lives = Readonly<Record<string, string>>;

export const livesOf = (world: World): Lives =>
  Object.fromEntries(
    world.pods().map((pod) => {
      const containers = pod.status?.containerStatuses?.map((it) => `${it.containerID} ${it.restartCount}`);
      return [nameOf(pod), [uidOf(pod), pod.spec.nodeName, pod.status?.podIP, ...(containers ?? [])].join(' ')];
    }),
  );

/** What the operator has done to Pods, as `verb name`; patches of nothing but metadata do not count. */
export const touches = (world: World, since: number): readonly string[] =>
  world.ledger
    .since(since)
    .writes({ by: operatorUser, resource: 'pods' })
    .filter(({ verb, object, previous }) => verb !== 'patch' || !jsonEqual(specOf(object), specOf(previous)))
    .map(({ verb, name }) => `${verb} ${name}`);

const specOf = (object: unknown): unknown => (object as Pod | undefined)?.spec;

/** Everything that the operator wrote, as `verb resource name`, but for events. */
export const writes = (world: World, since: number): readonly string[] =>
  world.ledger
    .since(since)
    .writes({ by: operatorUser })
    .filter(({ resource }) => resource !== 'events')
    .map(({ verb, resource, subresource, name }) =>
      [verb, subresource === undefined ? resource : `${resource}/${subresource}`, name].join(' '),
    );

/** Nobody has noticed anything, and nothing is written any more. */
export const expectUntouched = async ({ world, before, mark }: TakenOver): Promise<void> => {
  expect(touches(world, mark)).toEqual([]);
  expect(livesOf(world)).toEqual(before.lives);
  const { currentRevision, updateRevision, replicas, currentReplicas, updatedReplicas, availableReplicas } =
    before.status;
  expect(world.status()).toMatchObject({
    ...{ currentRevision, updateRevision, replicas, currentReplicas, updatedReplicas, availableReplicas },
    observedGeneration: world.live().metadata.generation,
    labelSelector: before.status.labelSelector,
  });
  expect(trueConditions(world.status())).toEqual(trueConditions(before.status));
  expect(world.events().filter(({ type }) => type !== 'Normal')).toEqual([]);
  const rest = world.ledger.mark();
  await world.run(60 * minute);
  expect(writes(world, rest)).toEqual([]);
};

const trueConditions = ({ conditions }: NonNullable<ModelServing['status']>): readonly string[] =>
  (conditions ?? []).filter(({ status }) => status === 'True').map(({ type, reason }) => `${type} ${reason}`);

/** An edit of the spec alone. */
export const edited = (world: World, change: (spec: ModelServingSpec) => ModelServingSpec): Promise<ModelServing> =>
  world.edit(world.live(), (live) => ({ ...live, spec: change(live.spec) }));

/** The spec with this image, of one Role or of all, to be rolled out in place. */
export const inPlaceWith = (spec: ModelServingSpec, image: string, role?: string): ModelServingSpec => {
  const strategy = { type: 'ServingGroupRollingUpdate' as const, ...spec.rolloutStrategy };
  const inPlace: ModelServing = {
    metadata: {},
    spec: { ...spec, rolloutStrategy: { ...strategy, updateMethod: 'InPlace' } },
  };
  return withImage(inPlace, image, role).spec;
};

export const rollOutInPlace = (world: World, image: string, role?: string): Promise<ModelServing> =>
  edited(world, (spec) => inPlaceWith(spec, image, role));

/** Deletes a Pod as an eviction would. */
export const losePod = async (world: World, name: string): Promise<void> => {
  await world.finish(world.client.delete(resources.pods, { namespace: 'fx', name }));
};

/** Everything is rolled out and available, and nothing is on its way. */
export const settled = (world: World): boolean => rolledOut(world) && isAvailable(world);

export const isAvailable = (world: World): boolean =>
  world.status().observedGeneration === world.live().metadata.generation &&
  world.status().availableReplicas === world.live().spec.replicas &&
  trueConditions(world.status()).join() === 'Available AllGroupsReady';

/** UID, node and address of every Pod: what an update in place never changes. */
export const seats = (lives: Lives): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(lives).map(([name, life]) => [name, life.split(' ').slice(0, 3).join(' ')]));

/** `image revision` of every Pod by name, or of one group. */
export const runs = (world: World, group?: number): Readonly<Record<string, string>> => {
  const pods = group === undefined ? world.pods() : world.group(group, world.live());
  return Object.fromEntries(
    pods.map((pod) => [
      nameOf(pod),
      `${world.cluster.nodes.truth(pod, 'engine')?.image} ${pod.metadata.labels?.['modelserving.volcano.sh/revision']}`,
    ]),
  );
};

/** The images that really run, each once. */
export const images = (world: World, group?: number): readonly string[] => [
  ...new Set(Object.values(runs(world, group)).map((it) => it.split(' ')[0] ?? '')),
];

/** Pods that are not the ones of before. */
export const madeAnew = (world: World, before: Lives): readonly string[] => {
  const old = seats(before);
  return Object.entries(seats(livesOf(world))).flatMap(([name, seat]) => (old[name] === seat ? [] : [name]));
};
