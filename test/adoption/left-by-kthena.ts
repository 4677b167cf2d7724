import { type ModelServing, modelServingResource } from '../../src/api/index.ts';
import { type Resource, resources } from '../../src/kube/index.ts';
import { type KubeObject, nameOf, type ObjectMeta, type Pod, refOf, uidOf } from '../../src/objects/index.ts';
import type { World } from '../../src/simulation/index.ts';
import { aWorld } from '../scenarios/world.ts';
import { type Recorded, type RecordedState, recordedByKthena } from '../support/recorded.ts';

const modelServings: Resource<ModelServing> = modelServingResource;

/**
 * A cluster as kthena's controller left it: the recorded objects, with new UIDs and owner references to match, Pods
 * running on nodes of the recorded names. No controller runs; `world.startOperator()` takes over.
 *
 * @param change  another state than the recorded one
 */
export const leftByKthena = async (
  state: RecordedState,
  change: (recorded: Recorded) => Recorded = (recorded) => recorded,
  options: Parameters<typeof aWorld>[0] = {},
): Promise<World> => {
  const recorded = change(recordedByKthena(state));
  const world = await aWorld({
    nodes: [{ name: 'kwok-1' }, { name: 'kwok-2' }, { name: 'kwok-3' }],
    startOperator: false,
    ...options,
  });
  await world.finish(world.client.create(resources.namespaces, { metadata: { name: 'fx' }, spec: {} }));
  const owner = await recreateModelServing(world, recorded.modelServing);
  const create = async <T extends KubeObject>(resource: Resource<T>, objects: readonly T[]): Promise<void> => {
    for (const object of objects) await world.finish(world.client.create(resource, ownedBy(object, owner)));
  };
  await create(resources.controllerrevisions, recorded.revisions);
  await create(resources.services, recorded.services);
  await create(resources.pods, recorded.pods);
  const wanted = recorded.pods.filter(isReady).map(nameOf);
  await world.until(() => {
    const ready = new Set(world.pods().filter(isReady).map(nameOf));
    return wanted.every((name) => ready.has(name));
  });
  await world.run(60_000);
  return world;
};

export const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;

/** Generation counts edits of the spec, so the recorded one is reached by edits. Then the status, as it was. */
const recreateModelServing = async (world: World, recorded: ModelServing): Promise<ModelServing> => {
  const { status, spec } = recorded;
  const earlier = (recorded.metadata.generation ?? 1) - 1;
  const written: ModelServing = {
    ...withoutServerFields(recorded),
    spec: { ...spec, replicas: (spec.replicas ?? 1) + earlier },
  };
  await world.apply(written);
  const ref = refOf(recorded);
  for (let left = earlier - 1; left >= 0; left -= 1) {
    await world.edit(ref, (live) => ({ ...live, spec: { ...live.spec, replicas: (spec.replicas ?? 1) + left } }));
  }
  const live = await world.finish(world.client.get(modelServings, ref));
  const { finish, client } = world;
  return status === undefined
    ? live
    : finish(client.update(modelServings, { ...live, status }, { subresource: 'status' }));
};

const ownedBy = <T extends KubeObject>(object: T, owner: ModelServing): T => {
  const bare = withoutServerFields(object);
  const ownerReferences = object.metadata.ownerReferences?.map((reference) => ({ ...reference, uid: uidOf(owner) }));
  return { ...bare, metadata: { ...bare.metadata, ...(ownerReferences === undefined ? {} : { ownerReferences }) } };
};

/** What only the server writes. The status too: the kubelets report it anew. */
const withoutServerFields = <T extends KubeObject>(object: T): T => {
  const { uid: _u, resourceVersion: _r, creationTimestamp: _c, generation: _g, ...metadata } = object.metadata;
  const { status: _s, ...rest } = object as T & { readonly status?: unknown };
  return { ...rest, metadata: metadata as ObjectMeta } as unknown as T;
};
