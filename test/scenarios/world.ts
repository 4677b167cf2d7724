import type { ModelServing } from '../../src/api/index.ts';
import { nameOf, uidOf } from '../../src/objects/index.ts';
import { decide, seePod } from '../../src/rollout/index.ts';
import { createWorld, type World, type WorldOptions } from '../../src/simulation/index.ts';

/** The operator that ships, on an embedded cluster in virtual time. Cached objects are frozen. */
export const aWorld = (options: Omit<WorldOptions, 'logic'> = {}): Promise<World> =>
  createWorld({ ...options, logic: { decide, seePod }, operator: { freeze: true, ...options.operator } });

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
