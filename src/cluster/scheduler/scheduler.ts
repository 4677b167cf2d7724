import { createClient, createWatchCache, isApiError, type Log, type Resource, resources } from '../../kube/index.ts';
import {
  isTerminating,
  type KubeObject,
  keyOf,
  type Node,
  nameOf,
  type Pod,
  refOf,
  uidOf,
} from '../../objects/index.ts';
import type { Cancel, Platform, Transport } from '../../platform/index.ts';
import { createEventRecorder, silentRecorder } from '../nodes/event-recorder.ts';
import { isOver } from '../nodes/pod-status.ts';
import { timestamp } from '../nodes/timestamp.ts';
import { demandOf } from './demand.ts';
import { type Placement, place } from './placement.ts';
import { createUsage } from './usage.ts';

export interface SchedulerOptions {
  readonly platform: Platform;
  readonly transport: Transport;
  /** Whether it writes events. */
  readonly events: boolean;
  readonly log: Log;
}

export interface Scheduler {
  start(): Promise<void>;
  stop(): void;
}

/** Where a binding is posted: a subresource of Pods that takes another kind. */
const bindings: Resource<KubeObject> = { group: '', version: 'v1', plural: 'pods', kind: 'Binding', namespaced: true };

/** A bind that failed is tried again after this long. */
const retryMs = 1_000;

/**
 * Binds every Pod that has no node, whatever scheduler it names. An ordinary API client: it sees Pods and nodes through
 * watches and writes bindings. A Pod that fits nowhere waits, without a timer, until a node or a Pod changes.
 */
export const createScheduler = (options: SchedulerOptions): Scheduler => {
  const { platform, transport, log } = options;
  const client = createClient({ transport, platform, userAgent: 'kube-scheduler', fieldManager: 'kube-scheduler' });
  const indexers = { node: (pod: Pod) => [pod.spec.nodeName ?? ''] };
  const pods = createWatchCache({ client, resource: resources.pods, platform, log, indexers });
  const nodes = createWatchCache({ client, resource: resources.nodes, platform, log });
  const events = options.events
    ? createEventRecorder({ ...platform, client, component: 'default-scheduler' })
    : silentRecorder;
  /** Pods with a place, by UID: those the API server shows on a node, and those whose binding is under way. */
  const usage = createUsage();
  /** The last message about a Pod that fits nowhere, by UID. */
  const complaints = new Map<string, string>();
  let cancelRound: Cancel | undefined;
  let stopped = false;

  const roundAfter = (delayMs: number): void => {
    if (stopped) return;
    cancelRound?.();
    cancelRound = platform.timers.after(delayMs, round);
  };

  const note = (pod: Pod): void => {
    const node = pod.spec.nodeName ?? '';
    if (isOver(pod.status?.phase)) usage.remove(uidOf(pod));
    else if (node !== '' && node !== usage.nodeOf(uidOf(pod))) usage.put(uidOf(pod), { node, demand: demandOf(pod) });
  };

  const forget = (pod: Pod): void => {
    usage.remove(uidOf(pod));
    complaints.delete(uidOf(pod));
    events.forget(uidOf(pod));
  };

  pods.onChange((change) => {
    if (change.type === 'deleted') forget(change.object);
    else {
      if (change.type === 'updated' && uidOf(change.previous) !== uidOf(change.object)) forget(change.previous);
      note(change.object);
    }
    if (complaints.size > 0 || isWaiting(change.object)) roundAfter(0);
  });
  nodes.onChange((change) => {
    if (change.type !== 'updated' || offersOther(change.previous, change.object)) roundAfter(0);
  });

  const isWaiting = (pod: Pod): boolean =>
    (pod.spec.nodeName ?? '') === '' &&
    (pod.spec.schedulingGates ?? []).length === 0 &&
    !isTerminating(pod) &&
    !isOver(pod.status?.phase) &&
    usage.nodeOf(uidOf(pod)) === undefined;

  /** One look at all Pods that wait, oldest first; each sees the room that those before it have left. */
  const round = (): void => {
    cancelRound = undefined;
    if (!pods.hasSynced() || !nodes.hasSynced()) return;
    const waiting = pods.byIndex('node', '').filter(isWaiting).toSorted(byAge);
    if (waiting.length === 0) return;
    const all = nodes.list();
    for (const pod of waiting) {
      const demand = demandOf(pod);
      const placement = place(
        pod,
        demand,
        all.map((node) => ({ node, used: usage.of(nameOf(node)) })),
      );
      if (placement.outcome === 'unschedulable') void complain(pod, placement.message);
      else {
        usage.put(uidOf(pod), { node: placement.node, demand });
        void bind(pod, placement);
      }
    }
  };

  const bind = async (pod: Pod, { node }: Placement & { outcome: 'placed' }): Promise<void> => {
    const { namespace } = pod.metadata;
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: nameOf(pod), namespace, uid: uidOf(pod) },
      target: { apiVersion: 'v1', kind: 'Node', name: node },
    };
    try {
      await client.create(bindings, binding, { subresource: 'binding' });
    } catch (error) {
      usage.remove(uidOf(pod));
      if (!isApiError(error, 'not-found')) roundAfter(retryMs);
      return;
    }
    complaints.delete(uidOf(pod));
    events.record(pod, {
      type: 'Normal',
      reason: 'Scheduled',
      message: `Successfully assigned ${keyOf(refOf(pod))} to ${node}`,
    });
  };

  const complain = async (pod: Pod, message: string): Promise<void> => {
    if (complaints.get(uidOf(pod)) === message) return;
    complaints.set(uidOf(pod), message);
    events.record(pod, { type: 'Warning', reason: 'FailedScheduling', message });
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastTransitionTime: timestamp(platform.clock.wall()),
    };
    const body = { metadata: { uid: uidOf(pod) }, status: { conditions: [condition] } };
    try {
      await client.patch(resources.pods, refOf(pod), { type: 'strategic', body }, { subresource: 'status' });
    } catch (error) {
      // The next round says it again, if there is still something to say.
      complaints.delete(uidOf(pod));
      if (!isApiError(error, 'not-found')) roundAfter(retryMs);
    }
  };

  return {
    start: async () => {
      pods.start();
      nodes.start();
      await Promise.all([pods.whenSynced(), nodes.whenSynced()]);
      for (const pod of pods.list()) note(pod);
      roundAfter(0);
    },
    stop: () => {
      stopped = true;
      cancelRound?.();
      pods.stop();
      nodes.stop();
    },
  };
};

const byAge = (a: Pod, b: Pod): number => {
  const age = (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '');
  return age !== 0 ? age : keyOf(refOf(a)).localeCompare(keyOf(refOf(b)));
};

/** Heartbeats change nothing for a Pod that waits. */
const offersOther = (before: Node, now: Node): boolean =>
  JSON.stringify([before.spec, before.metadata.labels, before.status?.allocatable]) !==
  JSON.stringify([now.spec, now.metadata.labels, now.status?.allocatable]);
