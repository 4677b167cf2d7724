import { describe, expect, it } from 'vitest';
import { modelServingCrd } from '../../src/api/index.ts';
import type { AdmissionPlugin } from '../../src/cluster/index.ts';
import { resources } from '../../src/kube/index.ts';
import type { Pod } from '../../src/objects/index.ts';
import { aModelServing } from '../world/builders.ts';
import {
  applied,
  aWorld,
  condition,
  containerIds,
  deletedPods,
  deletePod,
  places,
  rolledOut,
  specImages,
  truth,
  uids,
} from './world.ts';

const groups = (count: number) => aModelServing().groups(count).image('engine:v1').inPlace();

/** Rewrites Pods as a mutating webhook would, whoever sends them. */
const rewriting = (rewrite: (pod: Pod) => Pod): AdmissionPlugin => ({
  name: 'rewrite.example.com',
  admit: ({ resource, subresource, object }) =>
    resource === 'pods' && subresource === undefined && object !== undefined
      ? { allowed: true, object: rewrite(object as Pod) }
      : { allowed: true },
});

const mapImages = (pod: Pod, image: (from: string, name: string) => string): Pod => ({
  ...pod,
  spec: { ...pod.spec, containers: pod.spec.containers.map((c) => ({ ...c, image: image(c.image ?? '', c.name) })) },
});

describe('admission that stands between the operator and its patch', () => {
  it('34: a patch that is refused all the time starts the clock; at the deadline the recovery policy applies', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(2).deadline(60).build());
    world.cluster.admission({
      name: 'policy.example.com',
      admit: ({ operation, resource, object }) =>
        resource === 'pods' &&
        operation === 'UPDATE' &&
        (object as Pod).spec.containers.some(({ image }) => image === 'engine:v2')
          ? { allowed: false, code: 403, message: 'engine:v2 is not signed' }
          : { allowed: true },
    });
    await world.setImage(ms, 'engine:v2');
    await world.run(30_000);
    expect(world.events('InPlaceUpdatePatchFailed').length).toBeGreaterThan(0);
    expect(world.events('InPlaceUpdatePatchFailed')[0]?.message).toMatch(/engine:v2 is not signed/);
    expect(condition(world, 'UpdateInProgress')).toMatch(/InPlaceUpdateStalled.*engine:v2 is not signed/);
    expect(specImages(world.pods())).toEqual(['engine:v1']);
    expect(specImages(world.group(0))).toEqual(['engine:v1']);
    await world.until(() => world.events('ProgressDeadlineExceeded').length === 1, 120_000);
    await world.run(60_000);
    expect([...new Set(deletedPods(world))].sort()).toEqual(['ms-1-r-0-0', 'ms-1-r-0-1']);
    const attempts = world.faults === undefined ? 0 : world.events('InPlaceUpdatePatchFailed').length;
    expect(attempts).toBeLessThanOrEqual(2);
  });

  it('56: an injected sidecar in front and another registry: the right container is patched, by name', async () => {
    const world = await aWorld();
    world.cluster.admission(
      rewriting((pod) => {
        const renamed = mapImages(pod, (image) =>
          image.startsWith('mirror.local/') ? image : `mirror.local/${image}`,
        );
        const has = renamed.spec.containers.some(({ name }) => name === 'proxy');
        const proxy = { name: 'proxy', image: 'mirror.local/proxy:1' };
        return has
          ? renamed
          : { ...renamed, spec: { ...renamed.spec, containers: [proxy, ...renamed.spec.containers] } };
      }),
    );
    const ms = await applied(world, groups(2).build());
    const before = places(world);
    const mark = world.ledger.mark();
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    await world.run(30 * 60_000);
    expect(places(world)).toEqual(before);
    expect(specImages(world.pods())).toEqual(['mirror.local/engine:v2']);
    expect(world.ledger.since(mark).writes({ resource: 'pods', verb: 'patch' })).toHaveLength(4);
    expect(world.events('InPlaceImageDrift')).toEqual([]);
  });

  it('75: images pinned to a digest complete, with no endless patches and no drift event', async () => {
    const world = await aWorld();
    const digest = (image: string): string => `engine@sha256:${(image.endsWith('v1') ? '1' : '2').repeat(64)}`;
    world.cluster.admission(
      rewriting((pod) => mapImages(pod, (image) => (image.includes('@') ? image : digest(image)))),
    );
    const ms = await applied(world, groups(1).build());
    const before = places(world);
    const mark = world.ledger.mark();
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut, 60 * 60_000);
    await world.run(60 * 60_000);
    expect(places(world)).toEqual(before);
    expect(world.ledger.since(mark).writes({ resource: 'pods', verb: 'patch' })).toHaveLength(2);
    expect(world.events('InPlaceImageDrift')).toEqual([]);
  });

  it('76: a webhook that undoes the image: never complete, the message names the container, the deadline acts', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(1).deadline(60).build());
    world.cluster.admission(rewriting((pod) => mapImages(pod, () => 'engine:v1')));
    const mark = world.ledger.mark();
    await world.setImage(ms, 'engine:v2');
    await world.run(50_000);
    expect(condition(world, 'UpdateInProgress')).toMatch(
      /InPlaceUpdateStalled.*container c: admission put the old image engine:v1 back/,
    );
    expect(world.ledger.since(mark).writes({ resource: 'pods', verb: 'patch' })).toHaveLength(2);
    await world.until(() => world.events('ProgressDeadlineExceeded').length === 1, 60_000);
    await world.run(10_000);
    expect(deletedPods(world)).toContain('ms-0-r-0-0');
  });
});

describe('an image edited by hand', () => {
  it('74: after the update is reported once and patched back', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(2).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    const before = places(world);
    const body = { spec: { containers: [{ name: 'c', image: 'engine:hacked' }] } };
    await world.finish(
      world.client.patch(resources.pods, { namespace: 'default', name: 'ms-0-r-0-0' }, { type: 'strategic', body }),
    );
    await world.until(() => truth(world).includes('engine:hacked') || world.events('InPlaceImageDrift').length > 0);
    await world.until((now) => rolledOut(now) && truth(now).every((image) => image === 'engine:v2'));
    await world.run(10 * 60_000);
    expect(world.events('InPlaceImageDrift')).toHaveLength(1);
    expect(places(world)).toEqual(before);
    expect(deletedPods(world)).toEqual([]);
  });
});

describe('milestones that were lost', () => {
  it('80: a wiped status is rebuilt by the next write; a Pod lost after it is refilled, no other is touched', async () => {
    const world = await aWorld();
    const ms = await applied(world, groups(2).build());
    await world.setImage(ms, 'engine:v2');
    await world.until(rolledOut);
    await world.run(60_000);
    const before = uids(world);
    const ids = containerIds(world.pods());
    const resource = {
      group: 'workload.serving.volcano.sh',
      version: 'v1alpha1',
      plural: 'modelservings',
      kind: 'ModelServing',
      namespaced: true,
    };
    const wipe = { status: { units: null, failures: null } };
    await world.finish(
      world.client.patch(
        resource,
        { namespace: 'default', name: 'ms' },
        { type: 'merge', body: wipe },
        { subresource: 'status' },
      ),
    );
    await world.until(() => (world.status().units ?? []).length > 0, 60 * 60_000);
    expect(containerIds(world.pods())).toEqual(ids);
    await deletePod(world, 'ms-1-r-0-0');
    await world.until(() => ![undefined, before['ms-1-r-0-0']].includes(uids(world)['ms-1-r-0-0']) && rolledOut(world));
    for (const name of ['ms-0-r-0-0', 'ms-0-r-0-1']) expect(uids(world)[name]).toBe(before[name]);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
  });

  it('88: while the installed CRD prunes units no group starts; losses are refilled; with the new CRD it goes on', async () => {
    const world = await aWorld({ crd: withoutUnits() });
    const ms = await world.apply(groups(2).build());
    await world.until(() => world.status().availableReplicas === 2);
    const before = uids(world);
    await world.setImage(ms, 'engine:v2');
    await world.run(5 * 60_000);
    expect(specImages(world.pods())).toEqual(['engine:v1']);
    expect(condition(world, 'UpdateInProgress')).toMatch(
      /^True CRDOutdated.*modelservings.workload.serving.volcano.sh/,
    );
    await deletePod(world, 'ms-0-r-0-0');
    await world.until(() => ![undefined, before['ms-0-r-0-0']].includes(uids(world)['ms-0-r-0-0']));
    const crd = await world.finish(
      world.client.get(resources.customresourcedefinitions, { name: modelServingCrd.metadata.name ?? '' }),
    );
    await world.finish(
      world.client.update(resources.customresourcedefinitions, { ...crd, spec: (modelServingCrd as typeof crd).spec }),
    );
    await world.until(rolledOut, 60 * 60_000);
    expect(specImages(world.pods())).toEqual(['engine:v2']);
    expect(uids(world)['ms-1-r-0-0']).toBe(before['ms-1-r-0-0']);
  });
});

/** The CRD as an older release installs it: it knows neither units nor failures, so the API server drops them. */
const withoutUnits = (): typeof modelServingCrd => {
  const copy = structuredClone(modelServingCrd) as unknown as {
    spec: {
      versions: {
        schema: { openAPIV3Schema: { properties: Record<string, { properties: Record<string, unknown> }> } };
      }[];
    };
  };
  const status = copy.spec.versions[0]?.schema.openAPIV3Schema.properties['status'];
  delete status?.properties['units'];
  delete status?.properties['failures'];
  return copy as never;
};
