import type { ModelServing, ModelServingSpec, Role } from '../../src/api/index.ts';
import type { LedgerEntry } from '../../src/cluster/index.ts';
import { resources } from '../../src/kube/index.ts';
import { nameOf, type Pod, uidOf } from '../../src/objects/index.ts';
import { operatorUser, type World } from '../../src/simulation/index.ts';
import { podNamed } from '../scenarios/world.ts';
import { withRole } from '../world/edits.ts';

/** Running as its kubelet says, Ready, and not on its way out. */
export const isServing = (pod: Pod): boolean =>
  pod.metadata.deletionTimestamp === undefined &&
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;

/** How many Pods of the operator's are serving now. */
export const servingPods = (world: World): number => world.pods().filter(isServing).length;

/** Ordinals of the groups of which a Pod exists, ascending. */
export const ordinals = (world: World): readonly number[] =>
  [...new Set(world.pods().map((pod) => Number(nameOf(pod).split('-')[1])))].sort((a, b) => a - b);

/** Ordinals of the groups that have this many Pods, all of them serving. */
export const servingGroups = (world: World, podsPerGroup: number): readonly number[] =>
  ordinals(world).filter((ordinal) => world.group(ordinal).filter(isServing).length === podsPerGroup);

/** How often each name occurs in these writes. */
export const countByName = (writes: readonly LedgerEntry[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { name } of writes) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

/** The operator's creates of Pods, in order. */
export const podCreates = (world: World, from = 0): readonly LedgerEntry[] =>
  world.ledger.since(from).writes({ by: operatorUser, verb: 'create', resource: 'pods' });

/** The operator's deletes of Pods, in order. A Pod without grace is marked and removed by one request: that is one. */
export const podDeletes = (world: World, from = 0): readonly LedgerEntry[] =>
  world.ledger
    .since(from)
    .deletes('pods')
    .filter((entry, index, all) => {
      const before = all[index - 1];
      return before?.atMs !== entry.atMs || before.object.metadata.uid !== entry.object.metadata.uid;
    });

/** The operator's writes of the status, in order. */
export const statusWrites = (world: World, from = 0): readonly LedgerEntry[] =>
  world.ledger.since(from).writes({ by: operatorUser, resource: 'modelservings/status' });

/** The UID of the Pod of that name. */
export const uidOfPod = (world: World, name: string): string => uidOf(podNamed(world, name));

/** Edits the spec as a user would. */
export const editSpec = (world: World, change: (spec: ModelServingSpec) => ModelServingSpec): Promise<ModelServing> =>
  world.edit(world.live(), (live) => ({ ...live, spec: change(live.spec) }));

export const scaleTo = (world: World, replicas: number): Promise<ModelServing> =>
  editSpec(world, (spec) => ({ ...spec, replicas }));

/** Changes one Role of the spec. */
export const editRole = (world: World, name: string, change: (role: Role) => Role): Promise<ModelServing> =>
  world.edit(world.live(), (live) => withRole(live, name, change));

/** Merges into a Pod what a person would with `kubectl patch --type merge`. */
export const patchPod = async (world: World, name: string, body: unknown, status = false): Promise<void> => {
  const ref = { namespace: 'default', name };
  const options = status ? { subresource: 'status' as const } : {};
  await world.finish(world.client.patch(resources.pods, ref, { type: 'merge', body }, options));
};

/** The kubelet evicts the Pod: it is Failed and stays. */
export const evictPod = (world: World, name: string): void =>
  world.cluster.nodes.evict(podNamed(world, name), 'the node was low on memory');

/** Sets what it costs to delete the Pods of each group; groups that are not named keep their cost. */
export const setDeletionCosts = async (world: World, costs: Readonly<Record<number, number>>): Promise<void> => {
  for (const [group, cost] of Object.entries(costs)) {
    for (const pod of world.group(Number(group))) {
      const annotations = { 'controller.kubernetes.io/pod-deletion-cost': String(cost) };
      await patchPod(world, nameOf(pod), { metadata: { annotations } });
    }
  }
};

/** Runs in small steps and tells the least and the most of a number over that time. */
export const watchNumber = async (
  world: World,
  read: () => number,
  done: (world: World) => boolean,
): Promise<{ readonly least: number; readonly most: number }> => {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  await world.until((now) => {
    const value = read();
    least = Math.min(least, value);
    most = Math.max(most, value);
    return done(now);
  });
  return { least, most };
};
