import { createClient, createWatchCache, createWorkQueue, isApiError, type Log, resources } from '../../kube/index.ts';
import { jsonEqual, keyOf, type Labels, type Pod, refOf, type Service } from '../../objects/index.ts';
import type { Platform, Transport } from '../../platform/index.ts';
import type { Controller } from './controller.ts';
import { endpointSlice, sliceName } from './endpoint-slice.ts';

export interface EndpointSlicesOptions {
  readonly platform: Platform;
  readonly transport: Transport;
  readonly log?: Log | undefined;
}

const concurrency = 5;

/** Keeps one EndpointSlice for each Service with a selector; deleting them is the garbage collector's. */
export const createEndpointSlices = (options: EndpointSlicesOptions): Controller => {
  const { platform, transport, log } = options;
  const client = createClient({ transport, platform, userAgent: 'endpointslice-controller' });
  const pods = createWatchCache({
    client,
    resource: resources.pods,
    platform,
    log,
    indexers: { label: (pod: Pod) => pairsOf(pod.metadata.namespace, pod.metadata.labels) },
  });
  const services = createWatchCache({
    client,
    resource: resources.services,
    platform,
    log,
    indexers: { label: (service: Service) => pairsOf(service.metadata.namespace, service.spec?.selector).slice(0, 1) },
  });
  /** Keys of Services. */
  const queue = createWorkQueue({ platform, log });
  let stopQueue: () => Promise<void> = async () => undefined;

  const podChanged = (pod: Pod): void => {
    for (const pair of pairsOf(pod.metadata.namespace, pod.metadata.labels)) {
      for (const service of services.byIndex('label', pair)) {
        if (selects(service, pod)) queue.add(keyOf(refOf(service)));
      }
    }
  };

  const handle = async (key: string): Promise<void> => {
    const service = services.get(key);
    const [pair] = pairsOf(service?.metadata.namespace, service?.spec?.selector);
    if (service === undefined || pair === undefined) return;
    const wanted = endpointSlice(
      service,
      pods.byIndex('label', pair).filter((pod) => selects(service, pod)),
    );
    const ref = { namespace: service.metadata.namespace, name: sliceName(service) };
    try {
      const current = await client.get(resources.endpointslices, ref);
      if (jsonEqual(current.endpoints, wanted.endpoints) && jsonEqual(current.ports, wanted.ports)) return;
      const metadata = { ...wanted.metadata, resourceVersion: current.metadata.resourceVersion };
      await client.update(resources.endpointslices, { ...wanted, metadata });
    } catch (error) {
      if (!isApiError(error, 'not-found')) throw error;
      await client.create(resources.endpointslices, wanted);
    }
  };

  return {
    start: async () => {
      services.onChange((change) => {
        if (change.type !== 'deleted') queue.add(keyOf(refOf(change.object)));
      });
      pods.onChange((change) => {
        if (change.type === 'updated') podChanged(change.previous);
        podChanged(change.object);
      });
      services.start();
      pods.start();
      await Promise.all([services.whenSynced(), pods.whenSynced()]);
      stopQueue = queue.run(concurrency, handle);
    },
    stop: () => {
      void stopQueue();
      services.stop();
      pods.stop();
    },
  };
};

const selects = (service: Service, pod: Pod): boolean =>
  Object.entries(service.spec?.selector ?? {}).every(([key, value]) => pod.metadata.labels?.[key] === value);

/** `namespace key=value` of each label, the longest first: of a selector that is likely the one fewest Pods have. */
const pairsOf = (namespace: string | undefined, labels: Labels | undefined): readonly string[] =>
  Object.entries(labels ?? {})
    .map(([key, value]) => `${namespace} ${key}=${value}`)
    .toSorted((a, b) => b.length - a.length || a.localeCompare(b));
