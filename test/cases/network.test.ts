import { describe, expect, it } from 'vitest';
import { resources } from '../../src/kube/index.ts';
import { type Container, type KubeObject, nameOf, type Pod, uidOf } from '../../src/objects/index.ts';
import { operatorUser, type World } from '../../src/simulation/index.ts';
import { applied, aWorld, deletePod, podNamed, rolledOut, uids } from '../scenarios/world.ts';
import { aModelServing, type RoleOptions } from '../world/builders.ts';
import { countByName } from './helpers.ts';

const slices = {
  group: 'discovery.k8s.io',
  version: 'v1',
  plural: 'endpointslices',
  kind: 'EndpointSlice',
  namespaced: true,
};

interface EndpointSlice extends KubeObject {
  readonly endpoints?: readonly {
    readonly addresses: readonly string[];
    readonly targetRef?: { readonly name?: string };
  }[];
}

/** Pods behind each Service, by its name. */
const targets = async (world: World): Promise<Readonly<Record<string, readonly (string | undefined)[]>>> => {
  const list = await world.finish(world.client.list<EndpointSlice>(slices, { namespace: 'default' }));
  return Object.fromEntries(
    list.items.map((slice) => [
      slice.metadata.labels?.['kubernetes.io/service-name'],
      (slice.endpoints ?? []).map(({ targetRef }) => targetRef?.name),
    ]),
  );
};

const variables = (container: Container | undefined): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value]));

const everyContainer = ({ spec }: Pod): readonly Container[] => [...(spec.initContainers ?? []), ...spec.containers];

describe('the headless Service of a role instance', () => {
  it('B095: comes back as it was when somebody deletes it, and no Pod is touched', async () => {
    const world = await aWorld();
    await applied(world, aModelServing().role('p', { workers: 1 }).build());
    const [before] = world.seen.services.list();
    const pods = uids(world);
    const ref = { namespace: 'default', name: 'ms-0-p-0-0' };
    await world.finish(world.client.delete(resources.services, ref));
    await world.until(
      () => world.seen.services.list().some((service) => uidOf(service) !== before?.metadata.uid),
      1_000,
    );
    const [after] = world.seen.services.list();
    expect(after?.metadata.labels).toEqual(before?.metadata.labels);
    expect(after?.spec?.selector).toEqual(before?.spec?.selector);
    expect(after?.metadata.ownerReferences).toEqual(before?.metadata.ownerReferences);
    await world.run(10_000);
    expect(uids(world)).toEqual(pods);
  });

  it('B095: is not made again while its role instance goes', async () => {
    const world = await aWorld({ images: { 'engine:v1': { ignoresTerm: true } } });
    await applied(world, aModelServing().groups(2).role('p', { workers: 1, graceSeconds: 30 }).build());
    await world.edit(world.live(), (live) => ({ ...live, spec: { ...live.spec, replicas: 1 } }));
    await world.until((now) => now.seen.services.list().length === 1 && now.pods().length === 4);
    const mark = world.ledger.mark();
    await world.until((now) => now.pods().length === 2 && rolledOut(now));
    expect(countByName(world.ledger.since(mark).writes({ resource: 'services', verb: 'create' }))).toEqual({});
  });

  it('B095: is put right when somebody edits what it selects, and keeps what else they added', async () => {
    const world = await aWorld({ cluster: { endpointSlices: true } });
    await applied(world, aModelServing().role('p', { workers: 2 }).build());
    const before = world.seen.services.list()[0]?.spec?.selector;
    const ref = { namespace: 'default', name: 'ms-0-p-0-0' };
    const body = {
      metadata: { labels: { 'modelserving.volcano.sh/role-id': 'p-7', team: 'red' } },
      spec: { publishNotReadyAddresses: false, selector: { 'modelserving.volcano.sh/entry': null, extra: 'x' } },
    };
    await world.finish(world.client.patch(resources.services, ref, { type: 'merge', body }));
    await world.run(1_000);
    const [after] = world.seen.services.list();
    expect(after?.spec).toMatchObject({ publishNotReadyAddresses: true });
    expect(after?.spec?.selector).toEqual(before);
    expect(after?.metadata.labels).toMatchObject({ 'modelserving.volcano.sh/role-id': 'p-0', team: 'red' });
    expect(await targets(world)).toEqual({ 'ms-0-p-0-0': ['ms-0-p-0-0'] });
    const patches = world.ledger.writes({ by: operatorUser, resource: 'services', verb: 'patch' });
    expect(patches).toHaveLength(1);
  });

  it('B098: leads to the entry Pod of its own role instance alone', async () => {
    const world = await aWorld({ cluster: { endpointSlices: true } });
    await applied(world, aModelServing().role('p', { replicas: 2, workers: 3 }).build());
    await world.run(1_000);
    expect(await targets(world)).toEqual({ 'ms-0-p-0-0': ['ms-0-p-0-0'], 'ms-0-p-1-0': ['ms-0-p-1-0'] });
  });

  it('B099: leads there as soon as the entry has an address, Ready or not', async () => {
    const world = await aWorld({ cluster: { endpointSlices: true }, images: { 'engine:v1': { neverReady: true } } });
    await world.apply(aModelServing().role('p', { workers: 1 }).build());
    await world.until(
      (now) => now.pods().length === 2 && now.pods().every(({ status }) => status?.podIP !== undefined),
    );
    await world.run(1_000);
    expect(await targets(world)).toEqual({ 'ms-0-p-0-0': ['ms-0-p-0-0'] });
    expect(world.seen.services.list()[0]?.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
  });
});

describe('what a container learns about its place', () => {
  it('B101: is the same in every container of a Pod, init containers and sidecars too, and names its own entry', async () => {
    const world = await aWorld();
    const initContainers = [{ name: 'prepare', image: 'tool', restartPolicy: 'Always' as const }];
    const role: RoleOptions = { replicas: 2, workers: 2, spec: (spec) => ({ ...spec, initContainers }) };
    await applied(world, aModelServing().role('p', role).build());
    for (const pod of world.pods()) {
      const [instance, index] = nameOf(pod).split('-').slice(3);
      for (const container of everyContainer(pod)) {
        expect(variables(container), `${nameOf(pod)} ${container.name}`).toEqual({
          GROUP_SIZE: '3',
          ENTRY_ADDRESS: `ms-0-p-${instance}-0.default`,
          WORKER_INDEX: index,
        });
      }
    }
    await deletePod(world, 'ms-0-p-1-2');
    await world.until((now) => now.pods().length === 6 && rolledOut(now));
    expect(variables(podNamed(world, 'ms-0-p-1-2').spec.containers[0])['ENTRY_ADDRESS']).toBe('ms-0-p-1-0.default');
  });
});
