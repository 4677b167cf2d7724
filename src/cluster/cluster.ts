import type { Pod } from '../objects/index.ts';
import type { Cluster, ClusterOptions } from './cluster-types.ts';
import { createGarbageCollector } from './controllers/garbage-collector.ts';
import { createNodes } from './nodes/create-nodes.ts';
import { createImageCatalogue } from './nodes/image-store.ts';
import { createScheduler } from './scheduler/scheduler.ts';
import { createApiServer } from './server/index.ts';
import { kubectlExtensions } from './server/kubectl/extensions.ts';

/**
 * A Kubernetes cluster in one process: `start` brings up scheduler, nodes and garbage collector as ordinary clients of
 * its API server. Without `nodes` it has one, `node-1`.
 */
export const createCluster = (options: ClusterOptions): Cluster => {
  const { platform, podEvents: events = true } = options;
  const server = createApiServer({ ...options, extensions: kubectlExtensions(platform.clock) });
  const catalogue = createImageCatalogue(options.images);
  const nodes = createNodes({ platform, connect: server.connect, catalogue, events });
  const scheduler = createScheduler({ platform, transport: server.connect('system:kube-scheduler'), events });
  const garbageCollector = createGarbageCollector({
    platform,
    transport: server.connect('system:serviceaccount:kube-system:generic-garbage-collector'),
    delayMs: options.garbageCollectionDelayMs,
  });
  server.setLogSource({ read: (pod, container, which) => nodes.logs(pod as unknown as Pod, container, which) });

  return {
    connect: server.connect,
    start: async () => {
      await nodes.start();
      await Promise.all((options.nodes ?? [{ name: 'node-1' }]).map((node) => nodes.add(node)));
      await Promise.all([scheduler.start(), garbageCollector.start()]);
    },
    stop: async () => {
      scheduler.stop();
      await garbageCollector.stop();
      nodes.stop();
    },
    admission: server.admission,
    setImage: catalogue.set,
    ledger: server.ledger,
    nodes,
  };
};
