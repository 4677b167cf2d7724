import { readFileSync } from 'node:fs';
import { type Resource, resources } from '../../src/kube/index.ts';
import { type CustomResourceDefinition, nameOf } from '../../src/objects/index.ts';
import { type PodGroup, podGroupCrd } from '../../src/rollout/index.ts';
import type { World } from '../../src/simulation/index.ts';

export type VolcanoVersion = 'flat' | 'sub-groups';

export const podGroups: Resource<PodGroup> = {
  group: 'scheduling.volcano.sh',
  version: 'v1beta1',
  plural: 'podgroups',
  kind: 'PodGroup',
  namespaced: true,
};

/** The CRD of an older or a newer Volcano. */
export const volcanoCrd = (version: VolcanoVersion): CustomResourceDefinition =>
  JSON.parse(
    readFileSync(new URL(`../fixtures/volcano/pod-group-${version}.json`, import.meta.url), 'utf8'),
  ) as CustomResourceDefinition;

export const installVolcano = async (world: World, version: VolcanoVersion = 'sub-groups'): Promise<void> => {
  await world.finish(world.client.create(resources.customresourcedefinitions, volcanoCrd(version)));
  await world.run(1_000);
};

export const removeVolcano = async (world: World): Promise<void> => {
  await world.finish(world.client.delete(resources.customresourcedefinitions, { name: podGroupCrd }));
  await world.run(1_000);
};

/** The newer CRD in place of the older one, as an upgrade of Volcano does it: no PodGroup goes. */
export const upgradeVolcano = async (world: World): Promise<void> => {
  const { spec } = volcanoCrd('sub-groups');
  const ref = { name: podGroupCrd };
  await world.finish(world.client.patch(resources.customresourcedefinitions, ref, { type: 'merge', body: { spec } }));
  await world.run(1_000);
};

/** By name, as they are now. */
export const podGroupsOf = async (world: World, namespace = 'default'): Promise<Readonly<Record<string, PodGroup>>> => {
  const { items } = await world.finish(world.client.list(podGroups, { namespace }));
  return Object.fromEntries(items.map((item) => [nameOf(item), item]));
};

/** The PodGroup of that name. Throws if there is none. */
export const podGroupOf = async (world: World, name: string): Promise<PodGroup> => {
  const found = (await podGroupsOf(world))[name];
  if (found === undefined) throw new Error(`there is no PodGroup ${name}`);
  return found;
};

/** The PodGroups that kthena's controller made, as they were on a real API server; owned by this UID instead. */
export const podGroupsByKthena = (state: 'gang' | 'lws', ownerUid: string): readonly PodGroup[] => {
  const text = readFileSync(new URL(`../fixtures/kthena/${state}.json`, import.meta.url), 'utf8');
  const { objects } = JSON.parse(text) as { readonly objects: readonly PodGroup[] };
  return objects
    .filter(({ kind }) => kind === 'PodGroup')
    .map(
      ({
        metadata: { uid: _u, resourceVersion: _r, creationTimestamp: _c, generation: _g, ...metadata },
        ...rest
      }) => ({
        ...rest,
        metadata: {
          ...metadata,
          ownerReferences: (metadata.ownerReferences ?? []).map((reference) => ({ ...reference, uid: ownerUid })),
        },
      }),
    );
};
