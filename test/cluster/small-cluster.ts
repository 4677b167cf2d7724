import { type Cluster, type ClusterOptions, createCluster } from '../../src/cluster/index.ts';
import { createClient, isApiError, type KubeClient, type Resource, resources } from '../../src/kube/index.ts';
import type { Container, ContainerStatus, KubeObject, Pod, PodSpec } from '../../src/objects/index.ts';
import { createVirtualPlatform, type VirtualPlatform } from '../../src/simulation/index.ts';

export interface SmallCluster {
  readonly machine: VirtualPlatform;
  readonly cluster: Cluster;
  readonly client: KubeClient;
  /** Lets time go on until the promise settles. */
  wait<T>(work: Promise<T>): Promise<T>;
  create<T extends KubeObject>(resource: Resource<T>, object: T): Promise<T>;
  find<T extends KubeObject>(resource: Resource<T>, name: string): Promise<T | undefined>;
  pod(name?: string): Promise<Pod>;
  /** Lets time go on until the Pod (default `p`) is as wanted, and gives it back. Fails after ten minutes. */
  until(wanted: (pod: Pod) => boolean, name?: string): Promise<Pod>;
  untilGone(name?: string): Promise<void>;
  setImage(image: string, container?: string): Promise<Pod>;
  /** `Reason message` of every event about the Pod, oldest first. */
  events(name?: string): Promise<readonly string[]>;
  seconds(): number;
}

/** A cluster of one node `n1`, unless told otherwise, in virtual time. */
export const smallCluster = async (options: Partial<ClusterOptions> = {}): Promise<SmallCluster> => {
  const machine = createVirtualPlatform();
  const cluster = createCluster({ platform: machine, nodes: [{ name: 'n1' }], ...options });
  const client = createClient({ transport: cluster.connect('user'), platform: machine });
  const wait = <T>(work: Promise<T>): Promise<T> => machine.complete(work, { timeoutMs: 60_000 });
  await wait(cluster.start());

  const find = async <T extends KubeObject>(resource: Resource<T>, name: string): Promise<T | undefined> => {
    try {
      return await wait(client.get(resource, { namespace: resource.namespaced ? 'default' : undefined, name }));
    } catch (error) {
      if (isApiError(error, 'not-found')) return undefined;
      throw error;
    }
  };
  const pod = async (name = 'p'): Promise<Pod> => {
    const found = await find(resources.pods, name);
    if (found === undefined) throw new Error(`there is no Pod ${name}`);
    return found;
  };
  const poll = async <T>(look: () => Promise<T | undefined>, what: string): Promise<T> => {
    for (let step = 0; step < 6000; step++) {
      const found = await look();
      if (found !== undefined) return found;
      await machine.advance(100);
    }
    throw new Error(`not within ten minutes: ${what}`);
  };

  return {
    machine,
    cluster,
    client,
    wait,
    find,
    pod,
    create: (resource, object) => wait(client.create(resource, object)),
    until: (wanted, name = 'p') =>
      poll(async () => {
        const found = await pod(name);
        return wanted(found) ? found : undefined;
      }, wanted.toString()),
    untilGone: (name = 'p') =>
      poll(async () => ((await find(resources.pods, name)) === undefined ? true : undefined), `${name} gone`).then(
        () => undefined,
      ),
    setImage: (image, container = 'c') => {
      const body = { spec: { containers: [{ name: container, image }] } };
      return wait(client.patch(resources.pods, { namespace: 'default', name: 'p' }, { type: 'strategic', body }));
    },
    events: async (name = 'p') => {
      const { items } = await wait(client.list(resources.events, { namespace: 'default' }));
      return items
        .filter((event) => event.involvedObject.name === name)
        .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
        .map((event) => `${event.reason} ${event.message}`);
    },
    seconds: () => machine.clock.monotonic() / 1000,
  };
};

/** A Pod `p` with one container `c` of image `engine:v1`, changed as wanted. */
export const aPod = (spec: Partial<PodSpec> = {}, name = 'p'): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: [aContainer()], ...spec },
});

export const aContainer = (container: Partial<Container> = {}): Container => ({
  name: 'c',
  image: 'engine:v1',
  ...container,
});

/** A readiness probe every second. */
export const probe = { httpGet: { path: '/', port: 80 }, periodSeconds: 1 } as const;

export const statusOf = (pod: Pod, container = 'c'): ContainerStatus => {
  const all = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  const status = all.find((candidate) => candidate.name === container);
  if (status === undefined) throw new Error(`no status of container ${container}`);
  return status;
};

export const conditionOf = (pod: Pod, type: string): string | undefined =>
  pod.status?.conditions?.find((condition) => condition.type === type)?.status;

export const isReady = (pod: Pod): boolean => conditionOf(pod, 'Ready') === 'True';

export const waitingReason = (pod: Pod, container = 'c'): string | undefined =>
  pod.status?.containerStatuses?.find((status) => status.name === container)?.state?.waiting?.reason;

export const restartsOf = (pod: Pod, container = 'c'): number =>
  pod.status?.containerStatuses?.find((status) => status.name === container)?.restartCount ?? 0;
