import { createClient, createWatchCache, type KubeClient, type Log, resources } from '../../kube/index.ts';
import { nameOf, type Pod, uidOf } from '../../objects/index.ts';
import type { Platform, Transport } from '../../platform/index.ts';
import type { ClusterNodes } from '../cluster-types.ts';
import type { ImageCatalogue } from './image-store.ts';
import { createKubelet, type Kubelet, type NodeAddresses } from './kubelet.ts';
import { nodeObject, registerNode } from './node-object.ts';
import { newestOf } from './records.ts';

export interface NodesOptions {
  readonly platform: Platform;
  /** A way to the API server for a user: each node has its own, `system:node:<name>`. */
  connect(userName: string): Transport;
  readonly catalogue: ImageCatalogue;
  /** Whether kubelets write events. */
  readonly events: boolean;
  /** Whether nodes renew leases. */
  readonly heartbeats: boolean;
  readonly log: Log;
}

/** The simulated nodes of a cluster. They share one watch on Pods, as hollow nodes do. */
export interface Nodes extends ClusterNodes {
  start(): Promise<void>;
  stop(): void;
}

export const createNodes = (options: NodesOptions): Nodes => {
  const { platform, catalogue, events, heartbeats, log } = options;
  const kubelets = new Map<string, Kubelet>();
  const clientOf = (userName: string): KubeClient =>
    createClient({ transport: options.connect(userName), platform, userAgent: 'kubelet', fieldManager: 'kubelet' });
  const pods = createWatchCache({ client: clientOf('system:nodes'), resource: resources.pods, platform, log });

  pods.onChange((change) => {
    const kubelet = kubelets.get(change.object.spec.nodeName ?? '');
    if (change.type === 'deleted') return kubelet?.podRemoved(change.object);
    // Deleted and created anew with the same name between two looks.
    if (change.type === 'updated' && uidOf(change.previous) !== uidOf(change.object)) {
      kubelets.get(change.previous.spec.nodeName ?? '')?.podRemoved(change.previous);
    }
    kubelet?.podChanged(change.object);
  });

  const kubeletOf = (name: string): Kubelet => {
    const kubelet = kubelets.get(name);
    if (kubelet === undefined) throw new RangeError(`there is no node ${name}`);
    return kubelet;
  };
  const hostOf = (pod: Pod): Kubelet | undefined =>
    kubelets.get(pod.spec.nodeName ?? pods.get(`${pod.metadata.namespace}/${nameOf(pod)}`)?.spec.nodeName ?? '');
  const containerOf = (pod: Pod, name: string) => {
    const kubelet = hostOf(pod);
    return kubelet === undefined ? undefined : newestOf(kubelet.runtime.view(uidOf(pod)), name);
  };

  return {
    start: async () => {
      pods.start();
      await pods.whenSynced();
    },
    stop: () => {
      pods.stop();
      for (const kubelet of kubelets.values()) kubelet.stop();
    },
    add: async (node) => {
      if (kubelets.has(node.name)) throw new RangeError(`there is already a node ${node.name}`);
      const client = clientOf(`system:node:${node.name}`);
      const addresses = addressesOf(kubelets.size);
      const kubelet = createKubelet({ platform, client, node, catalogue, addresses, events, log });
      kubelets.set(node.name, kubelet);
      await registerNode(client, nodeObject(node, { hostIP: addresses.hostIP, nowMs: platform.clock.wall() }));
      if (heartbeats) kubelet.startHeartbeat();
      for (const pod of pods.list()) if (pod.spec.nodeName === node.name) kubelet.podChanged(pod);
    },
    truth: (pod, name) => {
      const container = containerOf(pod, name);
      if (container === undefined) return undefined;
      const { image, content, id, run } = container;
      return { image, content, containerID: id, running: run.state === 'running' };
    },
    kill: (pod, name, exit) => {
      const container = containerOf(pod, name);
      if (container !== undefined) hostOf(pod)?.runtime.exit(uidOf(pod), container.id, exit);
    },
    setReady: (pod, name, ready) => {
      const kubelet = hostOf(pod);
      kubelet?.health.override(uidOf(pod), name, ready);
      kubelet?.poke(uidOf(pod));
    },
    lose: (pod, name) => hostOf(pod)?.runtime.lose(uidOf(pod), name),
    evict: (pod, message) => hostOf(pod)?.fail(uidOf(pod), { reason: 'Evicted', message }),
    pause: (name) => kubeletOf(name).pause(),
    resume: (name) => kubeletOf(name).resume(),
    mute: (name, muted) => kubeletOf(name).mute(muted),
    restartKubelet: (name) => kubeletOf(name).restart(),
    reboot: (name) => {
      kubeletOf(name).runtime.reboot();
      kubeletOf(name).restart();
    },
    logs: (pod, name, { previous = false } = {}) => {
      const record = hostOf(pod)?.runtime.view(uidOf(pod));
      const containers = record?.containers.filter((container) => container.name === name);
      return containers?.[previous ? 1 : 0]?.log;
    },
  };
};

/** Node n has the network 10.n.0.0/16 for its Pods: more addresses than it ever runs Pods, so they are used in turn. */
const addressesOf = (index: number): NodeAddresses => {
  let last = 1;
  return {
    hostIP: `172.18.${index >> 8}.${(index & 255) + 2}`,
    next: () => {
      last = last >= 65_534 ? 2 : last + 1;
      return `10.${index & 255}.${last >> 8}.${last & 255}`;
    },
  };
};
