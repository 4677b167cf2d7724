import { createClient, createWatchCache, isApiError, type Log, resources, silentLog } from '../../kube/index.ts';
import { isTerminating, keyOf, nameOf, type Pod, refOf, uidOf } from '../../objects/index.ts';
import type { Cancel, Platform, Transport } from '../../platform/index.ts';
import { timestamp } from '../nodes/timestamp.ts';
import type { Controller } from './controller.ts';
import { evictionDelay } from './eviction-delay.ts';

export interface TaintEvictionOptions {
  readonly platform: Platform;
  readonly transport: Transport;
  readonly log?: Log | undefined;
}

interface Sentence {
  /** Monotonic. */
  readonly atMs: number;
  readonly cancel: Cancel;
}

/** A delete that failed is tried again after this long. */
const retryMs = 10_000;

/**
 * Deletes Pods from nodes with NoExecute taints that they do not tolerate, or no longer. It never forces: where the
 * node is lost, such a Pod stays terminating until the node is back.
 */
export const createTaintEviction = (options: TaintEvictionOptions): Controller => {
  const { platform, transport, log = silentLog } = options;
  const client = createClient({ transport, platform, userAgent: 'taint-eviction-controller' });
  const nodes = createWatchCache({ client, resource: resources.nodes, platform });
  const indexers = { node: (pod: Pod) => (pod.spec.nodeName === undefined ? [] : [pod.spec.nodeName]) };
  const pods = createWatchCache({ client, resource: resources.pods, platform, indexers });
  /** Of Pods that will be deleted, by UID. */
  const sentences = new Map<string, Sentence>();
  /** When a node got its taints, monotonic: a Pod's time runs from there. */
  const taintedAt = new Map<string, number>();
  /** Pods are followed from the first taint on: most clusters never see one, and following costs at every change. */
  let following = false;

  const judge = (pod: Pod): void => {
    const nodeName = pod.spec.nodeName ?? '';
    const node = nodes.get(nodeName);
    const seconds = isTerminating(pod) ? undefined : evictionDelay(node?.spec.taints, pod.spec.tolerations);
    const known = sentences.get(uidOf(pod));
    if (seconds === undefined) {
      known?.cancel();
      sentences.delete(uidOf(pod));
      return;
    }
    const now = platform.clock.monotonic();
    const atMs = (taintedAt.get(nodeName) ?? now) + seconds * 1000;
    if (known !== undefined && known.atMs === atMs) return;
    known?.cancel();
    sentenceAt(pod, atMs);
  };

  const sentenceAt = (pod: Pod, atMs: number): void => {
    const cancel = platform.timers.after(atMs - platform.clock.monotonic(), () => void evict(pod));
    sentences.set(uidOf(pod), { atMs, cancel });
  };

  const evict = async (pod: Pod): Promise<void> => {
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
      lastTransitionTime: timestamp(platform.clock.wall()),
    };
    const body = { metadata: { uid: uidOf(pod) }, status: { conditions: [condition] } };
    try {
      await client.patch(resources.pods, refOf(pod), { type: 'strategic', body }, { subresource: 'status' });
      await client.delete(resources.pods, refOf(pod), { uid: uidOf(pod) });
    } catch (error) {
      if (isApiError(error, 'not-found')) return;
      log.warn({ err: error, pod: keyOf(refOf(pod)) }, 'a Pod could not be evicted; it is tried again');
      if (sentences.has(uidOf(pod))) sentenceAt(pod, platform.clock.monotonic() + retryMs);
    }
  };

  const judgeNode = (name: string): void => {
    const isTainted = nodes.get(name)?.spec.taints?.some((taint) => taint.effect === 'NoExecute') === true;
    if (!isTainted) taintedAt.delete(name);
    else if (!taintedAt.has(name)) taintedAt.set(name, platform.clock.monotonic());
    if (isTainted && !following) {
      following = true;
      pods.start();
    }
    for (const pod of pods.byIndex('node', name)) judge(pod);
  };

  return {
    start: async () => {
      nodes.onChange((change) => judgeNode(nameOf(change.object)));
      pods.onChange((change) => {
        if (change.type !== 'deleted') judge(change.object);
        else {
          sentences.get(uidOf(change.object))?.cancel();
          sentences.delete(uidOf(change.object));
        }
      });
      nodes.start();
      await nodes.whenSynced();
    },
    stop: () => {
      for (const { cancel } of sentences.values()) cancel();
      sentences.clear();
      nodes.stop();
      pods.stop();
    },
  };
};
