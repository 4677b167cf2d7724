import type { ModelServing } from '../api/index.ts';
import { createWatchCache, type KubeClient, type Resource, resources, type WatchCache } from '../kube/index.ts';
import type { ControllerRevision, Event, Node, Pod, Service } from '../objects/index.ts';
import type { Platform } from '../platform/index.ts';

/** Everything in the cluster as it is now, without having to ask: for predicates between two tasks. */
export interface Observer {
  readonly modelServings: WatchCache<ModelServing>;
  readonly pods: WatchCache<Pod>;
  readonly services: WatchCache<Service>;
  readonly revisions: WatchCache<ControllerRevision>;
  readonly events: WatchCache<Event>;
  readonly nodes: WatchCache<Node>;
  whenSynced(): Promise<void>;
}

/** Follows the cluster over a client without latency. */
export const startObserver = (
  client: KubeClient,
  platform: Platform,
  modelServings: Resource<ModelServing>,
): Observer => {
  const parts = { client, platform };
  const caches = {
    modelServings: createWatchCache({ ...parts, resource: modelServings }),
    pods: createWatchCache({ ...parts, resource: resources.pods }),
    services: createWatchCache({ ...parts, resource: resources.services }),
    revisions: createWatchCache({ ...parts, resource: resources.controllerrevisions }),
    events: createWatchCache({ ...parts, resource: resources.events }),
    nodes: createWatchCache({ ...parts, resource: resources.nodes }),
  };
  const all = Object.values(caches);
  for (const cache of all) cache.start();
  return {
    ...caches,
    whenSynced: async () => {
      await Promise.all(all.map((cache) => cache.whenSynced()));
    },
  };
};
