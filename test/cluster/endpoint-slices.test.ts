import { describe, expect, it } from 'vitest';
import { resources } from '../../src/kube/index.ts';
import type { Pod, Service } from '../../src/objects/index.ts';
import { aContainer, aPod, isReady, smallCluster } from './small-cluster.ts';

const service: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'entry', namespace: 'default' },
  spec: { clusterIP: 'None', selector: { app: 'engine' }, ports: [{ port: 80, targetPort: 'http' }] },
};

const labelled = (name: string, app: string): Pod => {
  const container = aContainer({ ports: [{ name: 'http', containerPort: 8080 }] });
  const pod = aPod({ containers: [container] }, name);
  return { ...pod, metadata: { ...pod.metadata, labels: { app } } };
};

describe('the EndpointSlice of a Service', () => {
  it('follows the readiness of the Pods it selects, and goes with its Service', async () => {
    const world = await smallCluster({ endpointSlices: true });
    const slices = async () => {
      const { items } = await world.wait(world.client.list(resources.endpointslices, { namespace: 'default' }));
      return items.map(({ ports, endpoints }) => ({
        ports: ports?.map(({ port }) => port),
        endpoints: endpoints.map(({ targetRef, conditions }) => `${targetRef?.name} ${conditions?.ready}`),
      }));
    };
    await world.create(resources.services, service);
    await world.create(resources.pods, labelled('p', 'engine'));
    await world.create(resources.pods, labelled('q', 'engine'));
    await world.create(resources.pods, labelled('other', 'proxy'));
    const pod = await world.until(isReady);
    await world.until(isReady, 'q');
    await world.machine.advance(100);
    expect(await slices()).toEqual([{ ports: [8080], endpoints: ['p true', 'q true'] }]);
    world.cluster.nodes.kill(pod, 'c', { code: 1 });
    await world.until((seen) => !isReady(seen));
    await world.machine.advance(10);
    expect(await slices()).toEqual([{ ports: [8080], endpoints: ['p false', 'q true'] }]);
    await world.wait(world.client.delete(resources.pods, { namespace: 'default', name: 'q' }));
    await world.untilGone('q');
    await world.until(isReady);
    await world.machine.advance(100);
    expect(await slices()).toEqual([{ ports: [8080], endpoints: ['p true'] }]);
    await world.wait(world.client.delete(resources.services, { namespace: 'default', name: 'entry' }));
    await world.machine.advance(1000);
    expect(await slices()).toEqual([]);
  });

  it('is not made where the cluster was not asked to', async () => {
    const world = await smallCluster();
    await world.create(resources.services, service);
    await world.machine.advance(1000);
    const { items } = await world.wait(world.client.list(resources.endpointslices, { namespace: 'default' }));
    expect(items).toEqual([]);
  });
});
