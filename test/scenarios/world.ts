import type { ModelServing } from '../../src/api/index.ts';
import { resources } from '../../src/kube/index.ts';
import { nameOf, type Pod, uidOf } from '../../src/objects/index.ts';
import { type Decision, decide, seePod } from '../../src/rollout/index.ts';
import { createWorld, type World, type WorldOptions } from '../../src/simulation/index.ts';

/**
 * The operator that ships, on an embedded cluster in virtual time. Cached objects are frozen, and every decision of
 * every scenario is held to the rule that nothing waits in silence.
 */
export const aWorld = (options: Omit<WorldOptions, 'logic'> = {}): Promise<World> =>
  createWorld({
    ...options,
    logic: { decide: (input) => saysWhatItWaitsFor(decide(input)), seePod },
    operator: { freeze: true, ...options.operator },
  });

/** A wait names an object; a condition that is not the good end names one too. */
const saysWhatItWaitsFor = (decision: Decision): Decision => {
  for (const wait of decision.waits) {
    if (!namesSomething(`${wait.unit} ${wait.message}`) || wait.reason === '') {
      throw new Error(`a wait says nothing: ${JSON.stringify(wait)}`);
    }
  }
  for (const { type, status, reason, message } of decision.status?.conditions ?? []) {
    if (status !== 'True' || (type === 'Available' && reason === 'AllGroupsReady')) continue;
    if (!namesSomething(message)) throw new Error(`condition ${type} says nothing: ${message}`);
  }
  return decision;
};

/** A group, a Pod, a Role, a revision, a plugin, the CRD, a field or an annotation: something a person can look at. */
const namesSomething = (message: string): boolean =>
  message.length > 20 &&
  /group \d|groups? .*\[[\d ]+\]|Pod \S+|Service \S+|on their way out: \[|plugin|ControllerRevision \S+|CRD \S+|annotation \S+|spec\.\S+/.test(
    message,
  );

/** Spec evaluated, everything it asks for updated and available. */
export const rolledOut = (world: World): boolean => {
  const { spec, status, metadata } = world.live();
  const wanted = spec.replicas ?? 1;
  return (
    status?.observedGeneration === metadata.generation &&
    status?.currentRevision !== undefined &&
    status.currentRevision === status.updateRevision &&
    status.updatedReplicas === wanted &&
    status.availableReplicas === wanted &&
    status.replicas === wanted
  );
};

/** Applies a ModelServing and waits until it is rolled out. */
export const applied = async (world: World, modelServing: ModelServing): Promise<ModelServing> => {
  const created = await world.apply(modelServing);
  await world.until(rolledOut);
  return created;
};

/** UIDs by Pod name: what an in-place update never changes. */
export const uids = (world: World): Readonly<Record<string, string>> =>
  Object.fromEntries(world.pods().map((pod) => [nameOf(pod), uidOf(pod)]));

/** What a Pod keeps for life: UID, node and IP by name. */
export const places = (world: World): Readonly<Record<string, string>> =>
  Object.fromEntries(
    world.pods().map((pod) => [nameOf(pod), `${uidOf(pod)} ${pod.spec.nodeName} ${pod.status?.podIP}`]),
  );

/** The condition of that type, as `True Reason: message`. */
export const condition = (world: World, type: string): string => {
  const found = world.status().conditions?.find((it) => it.type === type);
  return found === undefined ? 'absent' : `${found.status} ${found.reason}: ${found.message}`;
};

/** What really runs in a container of every Pod, in order of Pod names, as only the nodes know. */
export const truth = (world: World, container = 'c'): readonly (string | undefined)[] =>
  world.pods().map((pod) => world.cluster.nodes.truth(pod, container)?.image);

/** Stops every kubelet; the returned function lets them go on. */
export const pauseKubelets = (world: World): (() => void) => {
  const names = world.seen.nodes.list().map(nameOf);
  for (const name of names) world.cluster.nodes.pause(name);
  return () => {
    for (const name of names) world.cluster.nodes.resume(name);
  };
};

/** The images of container `c` in the specs of the Pods, each once. */
export const specImages = (pods: readonly Pod[]): readonly (string | undefined)[] => [
  ...new Set(pods.map((pod) => pod.spec.containers.find(({ name }) => name === 'c')?.image)),
];

export const containerIds = (pods: readonly Pod[]): readonly (string | undefined)[] =>
  pods.map((pod) => pod.status?.containerStatuses?.find(({ name }) => name === 'c')?.containerID);

/** The Pod of that name. Throws if there is none. */
export const podNamed = (world: World, name: string): Pod => {
  const found = world.pods().find((pod) => nameOf(pod) === name);
  if (found === undefined) throw new Error(`there is no Pod ${name}`);
  return found;
};

/** Deletes a Pod as a person would. */
export const deletePod = async (world: World, name: string, gracePeriodSeconds?: number): Promise<void> => {
  await world.finish(world.client.delete(resources.pods, { namespace: 'default', name }, { gracePeriodSeconds }));
};

/** Names of the Pods that the operator deleted, in order. */
export const deletedPods = (world: World): readonly string[] => world.ledger.deletes('pods').map(({ name }) => name);

/** How many groups the status calls updated, of the spec as it stands; 0 while it still speaks of an older one. */
export const claimedUpdated = (world: World): number => {
  const { status, metadata } = world.live();
  return status?.observedGeneration === metadata.generation ? (status?.updatedReplicas ?? 0) : 0;
};
