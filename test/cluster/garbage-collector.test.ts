import { describe, expect, it } from 'vitest';
import { type Resource, resources } from '../../src/kube/index.ts';
import { type ConfigMap, type KubeObject, nameOf, type OwnerReference, uidOf } from '../../src/objects/index.ts';
import { aPod, isReady, smallCluster } from './small-cluster.ts';

const configMap = (name: string, owners: readonly OwnerReference[] = []): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ownerReferences: owners },
});

const ownedBy = (owner: KubeObject, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: owner.apiVersion ?? '',
  kind: owner.kind ?? '',
  name: nameOf(owner),
  uid: uidOf(owner),
  ...more,
});

const at = (name: string): { readonly namespace: string; readonly name: string } => ({ namespace: 'default', name });

describe('background deletion', () => {
  it('takes the dependents of a deleted owner, and theirs', async () => {
    const { machine, client, wait, create, find } = await smallCluster();
    const owner = await create(resources.configmaps, configMap('owner'));
    const child = await create(resources.configmaps, configMap('child', [ownedBy(owner)]));
    await create(resources.configmaps, configMap('grandchild', [ownedBy(child)]));
    await machine.advance(1000);
    await wait(client.delete(resources.configmaps, at('owner')));
    await machine.advance(1000);
    expect(await find(resources.configmaps, 'child')).toBeUndefined();
    expect(await find(resources.configmaps, 'grandchild')).toBeUndefined();
    expect(machine.pending()).toBe(0);
  });

  it('leaves a dependent to its other owner and takes the dead reference out', async () => {
    const { machine, client, wait, create, find } = await smallCluster();
    const one = await create(resources.configmaps, configMap('one'));
    const two = await create(resources.configmaps, configMap('two'));
    await create(resources.configmaps, configMap('child', [ownedBy(one), ownedBy(two)]));
    await wait(client.delete(resources.configmaps, at('one')));
    await machine.advance(1000);
    const child = await find(resources.configmaps, 'child');
    expect(child?.metadata.ownerReferences?.map((owner) => owner.name)).toEqual(['two']);
  });

  it('knows owners by UID: one created anew under the same name is a stranger', async () => {
    const { machine, client, wait, create, find } = await smallCluster();
    const owner = await create(resources.configmaps, configMap('owner'));
    await create(resources.configmaps, configMap('child', [ownedBy(owner)]));
    await wait(client.delete(resources.configmaps, at('owner')));
    await create(resources.configmaps, configMap('owner'));
    await machine.advance(1000);
    expect(await find(resources.configmaps, 'child')).toBeUndefined();
    expect(await find(resources.configmaps, 'owner')).toBeDefined();
  });

  it('takes an object whose owner never was', async () => {
    const { machine, create, find } = await smallCluster();
    const owner = { ...configMap('never'), metadata: { name: 'never', uid: '00000000-0000-4000-8000-000000000000' } };
    await create(resources.configmaps, configMap('child', [ownedBy(owner)]));
    await machine.advance(1000);
    expect(await find(resources.configmaps, 'child')).toBeUndefined();
  });

  it('waits as long as it was told to', async () => {
    const { machine, client, wait, create, find } = await smallCluster({ garbageCollectionDelayMs: 30_000 });
    const owner = await create(resources.configmaps, configMap('owner'));
    await create(resources.configmaps, configMap('child', [ownedBy(owner)]));
    await wait(client.delete(resources.configmaps, at('owner')));
    await machine.advance(29_000);
    expect(await find(resources.configmaps, 'child')).toBeDefined();
    await machine.advance(2_000);
    expect(await find(resources.configmaps, 'child')).toBeUndefined();
  });
});

describe('foreground deletion', () => {
  it('keeps the owner until the dependents that block it are gone', async () => {
    const slow = { ignoresTerm: true };
    const { machine, client, wait, create, find, until } = await smallCluster({ images: { 'engine:v1': slow } });
    const owner = await create(resources.configmaps, configMap('owner'));
    const pod = aPod({ terminationGracePeriodSeconds: 5 });
    const ownerReferences = [ownedBy(owner, { blockOwnerDeletion: true })];
    await create(resources.pods, { ...pod, metadata: { ...pod.metadata, ownerReferences } });
    await create(resources.configmaps, configMap('free', [ownedBy(owner)]));
    await until(isReady);
    await wait(client.delete(resources.configmaps, at('owner'), { propagationPolicy: 'Foreground' }));
    await machine.advance(4000);
    expect((await find(resources.configmaps, 'owner'))?.metadata.finalizers).toEqual(['foregroundDeletion']);
    expect((await find(resources.pods, 'p'))?.metadata.deletionTimestamp).toBeDefined();
    await machine.advance(4000);
    expect(await find(resources.pods, 'p')).toBeUndefined();
    expect(await find(resources.configmaps, 'owner')).toBeUndefined();
    expect(await find(resources.configmaps, 'free')).toBeUndefined();
  });

  it('lets the owner go when a blocking dependent lets go of it', async () => {
    const { machine, client, wait, create, find } = await smallCluster();
    const owner = await create(resources.configmaps, configMap('owner'));
    const child = configMap('child', [ownedBy(owner, { blockOwnerDeletion: true })]);
    await create(resources.configmaps, { ...child, metadata: { ...child.metadata, finalizers: ['example.com/keep'] } });
    await wait(client.delete(resources.configmaps, at('owner'), { propagationPolicy: 'Foreground' }));
    await machine.advance(1000);
    expect(await find(resources.configmaps, 'owner')).toBeDefined();
    const body = { metadata: { ownerReferences: [] } };
    await wait(client.patch(resources.configmaps, at('child'), { type: 'merge', body }));
    await machine.advance(1000);
    expect(await find(resources.configmaps, 'owner')).toBeUndefined();
  });
});

describe('orphan deletion', () => {
  it('frees the dependents first', async () => {
    const { machine, client, wait, create, find } = await smallCluster();
    const owner = await create(resources.configmaps, configMap('owner'));
    await create(resources.configmaps, configMap('child', [ownedBy(owner)]));
    await wait(client.delete(resources.configmaps, at('owner'), { propagationPolicy: 'Orphan' }));
    await machine.advance(1000);
    expect(await find(resources.configmaps, 'owner')).toBeUndefined();
    expect((await find(resources.configmaps, 'child'))?.metadata.ownerReferences).toBeUndefined();
  });
});

describe('kinds that come later', () => {
  const widgets: Resource<KubeObject> = {
    group: 'example.com',
    version: 'v1',
    plural: 'widgets',
    kind: 'Widget',
    namespaced: true,
  };

  it('own and are owned like all others', async () => {
    const { machine, client, wait, create, find } = await smallCluster();
    await create(resources.customresourcedefinitions, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    await machine.advance(1000);
    const meta = { name: 'w', namespace: 'default' };
    const widget = await create(widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: meta });
    await create(resources.configmaps, configMap('child', [ownedBy(widget)]));
    await machine.advance(1000);
    expect(await find(resources.configmaps, 'child')).toBeDefined();
    await wait(client.delete(widgets, at('w')));
    await machine.advance(1000);
    expect(await find(resources.configmaps, 'child')).toBeUndefined();
  });
});
