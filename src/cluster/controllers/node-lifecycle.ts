import { createClient, createWatchCache, type Log, resources, silentLog } from '../../kube/index.ts';
import { type Lease, type Node, nameOf, type Pod, refOf, type Taint, uidOf } from '../../objects/index.ts';
import type { Cancel, Platform, Transport } from '../../platform/index.ts';
import { timestamp } from '../nodes/timestamp.ts';
import type { Controller } from './controller.ts';

export interface NodeLifecycleOptions {
  readonly platform: Platform;
  readonly transport: Transport;
  readonly log?: Log | undefined;
}

/** A node is lost when its lease is this old (`--node-monitor-grace-period`). */
const graceMs = 40_000;

const unreachable: readonly Taint[] = (['NoSchedule', 'NoExecute'] as const).map((effect) => ({
  key: 'node.kubernetes.io/unreachable',
  effect,
}));

/**
 * Notices nodes that no longer renew their lease: their conditions become Unknown, they are tainted unreachable, and
 * their Pods are marked not Ready, since nobody knows. When the lease is renewed the taints go; the rest is the
 * kubelet's to say.
 */
export const createNodeLifecycle = (options: NodeLifecycleOptions): Controller => {
  const { platform, transport, log = silentLog } = options;
  const client = createClient({ transport, platform, userAgent: 'node-lifecycle-controller' });
  const nodes = createWatchCache({ client, resource: resources.nodes, platform });
  const leases = createWatchCache({ client, resource: resources.leases, platform, namespace: 'kube-node-lease' });
  const indexers = { node: (pod: Pod) => (pod.spec.nodeName === undefined ? [] : [pod.spec.nodeName]) };
  const pods = createWatchCache({ client, resource: resources.pods, platform, indexers });
  /** One background timer for each node that lives: when it will be lost if nothing is heard. */
  const alarms = new Map<string, Cancel>();
  const lost = new Set<string>();

  const renewed = (lease: Lease): void => {
    const name = nameOf(lease);
    alarms.get(name)?.();
    // Counted from when the renewal was seen: the clocks of node and controller may differ.
    alarms.set(
      name,
      platform.timers.after(graceMs, () => declareLost(name), { background: true }),
    );
    if (lost.delete(name)) attempt(name, () => taint(name, false));
  };

  const declareLost = (name: string): void => {
    const node = nodes.get(name);
    if (node === undefined) return;
    lost.add(name);
    attempt(name, async () => {
      await markUnknown(node);
      await taint(name, true);
      for (const pod of pods.byIndex('node', name)) await markNotReady(pod);
    });
  };

  /** What fails is tried again as long as it is still true. */
  const attempt = (name: string, work: () => Promise<void>): void => {
    const wasLost = lost.has(name);
    work().catch((err: unknown) => {
      log.warn({ err, node: name }, 'the state of a node could not be written; it is tried again');
      platform.timers.after(10_000, () => {
        if (lost.has(name) === wasLost) attempt(name, work);
      });
    });
  };

  const markUnknown = async (node: Node): Promise<void> => {
    const conditions = (node.status?.conditions ?? []).map(({ type }) => ({
      type,
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
      lastTransitionTime: timestamp(platform.clock.wall()),
    }));
    const patch = { type: 'strategic', body: { status: { conditions } } } as const;
    await client.patch(resources.nodes, refOf(node), patch, { subresource: 'status' });
  };

  const taint = async (name: string, isLost: boolean): Promise<void> => {
    const node = await client.get(resources.nodes, { name });
    const others = (node.spec.taints ?? []).filter(({ key }) => key !== 'node.kubernetes.io/unreachable');
    const timeAdded = timestamp(platform.clock.wall());
    const taints = isLost ? [...others, ...unreachable.map((one) => ({ ...one, timeAdded }))] : others;
    const metadata = { resourceVersion: node.metadata.resourceVersion };
    const body = { metadata, spec: { taints: taints.length === 0 ? null : taints } };
    await client.patch(resources.nodes, { name }, { type: 'merge', body });
  };

  const markNotReady = async (pod: Pod): Promise<void> => {
    const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready?.status !== 'True') return;
    const lastTransitionTime = timestamp(platform.clock.wall());
    const condition = { type: 'Ready', status: 'False', reason: 'NodeNotReady', lastTransitionTime };
    const body = { metadata: { uid: uidOf(pod) }, status: { conditions: [condition] } };
    await client.patch(resources.pods, refOf(pod), { type: 'strategic', body }, { subresource: 'status' });
  };

  return {
    start: async () => {
      leases.onChange((change) => {
        if (change.type !== 'deleted') renewed(change.object);
      });
      nodes.start();
      leases.start();
      pods.start();
      await Promise.all([nodes.whenSynced(), leases.whenSynced(), pods.whenSynced()]);
    },
    stop: () => {
      for (const cancel of alarms.values()) cancel();
      alarms.clear();
      nodes.stop();
      leases.stop();
      pods.stop();
    },
  };
};
