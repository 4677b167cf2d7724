import { isApiError, type KubeClient, type Log, resources } from '../../kube/index.ts';
import type { Lease } from '../../objects/index.ts';
import type { Cancel, Clock, Timers } from '../../platform/index.ts';
import { healthyConditions } from './node-object.ts';
import { microTimestamp, timestamp } from './timestamp.ts';

export interface HeartbeatOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** The kubelet's own: no beat while it is paused. */
  readonly timers: Timers;
  readonly node: string;
  readonly log: Log;
}

const everyMs = 10_000;
/** Longer than this without a beat, and others may have declared the node lost. */
const noticedMs = 40_000;

/**
 * Renews the node's lease every 10 s. At its start, and after a silence that others will have noticed, it says
 * first that the node is well. A beat that fails is missed; the next one comes in time.
 */
export const startHeartbeat = ({ client, clock, timers, node, log }: HeartbeatOptions): Cancel => {
  const ref = { namespace: 'kube-node-lease', name: node };
  let lastMs = Number.NEGATIVE_INFINITY;
  let cancel: Cancel = () => undefined;

  const lease = (): Lease => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: ref,
    spec: { holderIdentity: node, leaseDurationSeconds: 40, renewTime: microTimestamp(clock.wall()) },
  });

  const beat = async (): Promise<void> => {
    if (clock.monotonic() - lastMs >= noticedMs) {
      const body = { status: { conditions: healthyConditions(timestamp(clock.wall())) } };
      await client.patch(resources.nodes, { name: node }, { type: 'strategic', body }, { subresource: 'status' });
    }
    try {
      await client.patch(resources.leases, ref, { type: 'merge', body: { spec: lease().spec } });
    } catch (error) {
      if (!isApiError(error, 'not-found')) throw error;
      await client.create(resources.leases, lease());
    }
    lastMs = clock.monotonic();
  };

  const run = (): void => {
    cancel = timers.after(everyMs, run, { background: true });
    beat().catch((err: unknown) => log.warn({ err, node }, 'a node could not renew its lease'));
  };
  run();
  return () => cancel();
};
