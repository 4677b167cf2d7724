import { silentLog } from '../kube/index.ts';
import type { Pod } from '../objects/index.ts';
import type { Transport } from '../platform/index.ts';
import type { Cluster, ClusterOptions } from './cluster-types.ts';
import { createEndpointSlices } from './controllers/endpoint-slices.ts';
import { createGarbageCollector } from './controllers/garbage-collector.ts';
import { createNodeLifecycle } from './controllers/node-lifecycle.ts';
import { createTaintEviction } from './controllers/taint-eviction.ts';
import { createNodes } from './nodes/create-nodes.ts';
import { createImageCatalogue } from './nodes/image-store.ts';
import { createScheduler } from './scheduler/scheduler.ts';
import { createApiServer } from './server/index.ts';
import { kubectlExtensions } from './server/kubectl/extensions.ts';

/**
 * A Kubernetes cluster in one process: `start` brings up nodes, scheduler and controllers as ordinary clients of its
 * API server. Without `nodes` it has one, `node-1`.
 */
export const createCluster = (options: ClusterOptions): Cluster => {
  const { platform, podEvents: events = true, nodeHeartbeats: heartbeats = false, log = silentLog } = options;
  const server = createApiServer({ ...options, extensions: kubectlExtensions(platform.clock) });
  const catalogue = createImageCatalogue(options.images);
  const asController = (name: string): Transport => server.connect(`system:serviceaccount:kube-system:${name}`);

  const nodes = createNodes({ platform, connect: server.connect, catalogue, events, heartbeats, log });
  const scheduler = createScheduler({ platform, transport: server.connect('system:kube-scheduler'), events, log });
  const garbageCollector = createGarbageCollector({
    platform,
    transport: asController('generic-garbage-collector'),
    log,
    delayMs: options.garbageCollectionDelayMs,
  });
  const controllers = [createTaintEviction({ platform, transport: asController('taint-eviction-controller'), log })];
  if (heartbeats) {
    controllers.push(createNodeLifecycle({ platform, transport: asController('node-controller'), log }));
  }
  if (options.endpointSlices === true) {
    controllers.push(createEndpointSlices({ platform, transport: asController('endpointslice-controller'), log }));
  }
  // The server hands on what it stored; a Pod's log is asked for only where a Pod is.
  server.setLogSource({ read: (pod, container, which) => nodes.logs(pod as unknown as Pod, container, which) });

  return {
    connect: server.connect,
    start: async () => {
      await nodes.start();
      await Promise.all((options.nodes ?? [{ name: 'node-1' }]).map((node) => nodes.add(node)));
      await Promise.all([scheduler, garbageCollector, ...controllers].map((part) => part.start()));
    },
    stop: async () => {
      for (const controller of controllers) controller.stop();
      await garbageCollector.stop();
      scheduler.stop();
      nodes.stop();
    },
    admission: server.admission,
    setImage: catalogue.set,
    ledger: server.ledger,
    faults: server.faults,
    nodes,
  };
};
