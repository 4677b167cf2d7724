import type { KubeClient, Log } from '../../kube/index.ts';
import { jsonEqual, type Pod, uidOf } from '../../objects/index.ts';
import type { Cancel, Platform } from '../../platform/index.ts';
import type { NodeOptions } from '../cluster-types.ts';
import { createBackOff } from './back-off.ts';
import { createEventRecorder, silentRecorder } from './event-recorder.ts';
import { createHealth, type Health } from './health.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createImagePuller } from './image-puller.ts';
import { createImageStore, type ImageCatalogue } from './image-store.ts';
import { fieldPathOf } from './kill-container.ts';
import type { NodeParts } from './node-parts.ts';
import { pausable } from './pausable.ts';
import type { PodFailure } from './pod-status.ts';
import { createPodWorker, type PodWorker } from './pod-worker.ts';
import { createProber } from './prober.ts';
import { createRelister } from './relister.ts';
import { createRuntime, type Runtime } from './runtime.ts';
import { createStatusManager } from './status-manager.ts';

export interface KubeletOptions {
  readonly platform: Platform;
  /** Connected as this node. */
  readonly client: KubeClient;
  readonly node: NodeOptions;
  readonly catalogue: ImageCatalogue;
  readonly addresses: NodeAddresses;
  /** Whether it writes events. */
  readonly events: boolean;
  readonly log: Log;
}

export interface NodeAddresses {
  readonly hostIP: string;
  /** An address for a new Pod sandbox. */
  next(): string;
}

/** The kubelet of one node, and the runtime below it. Fed with the Pods bound to the node. */
export interface Kubelet {
  readonly runtime: Runtime;
  readonly health: Health;
  /** From now on it renews its lease. */
  startHeartbeat(): void;
  podChanged(pod: Pod): void;
  podRemoved(pod: Pod): void;
  /** Asks the probes of a Pod again, as something about its process has changed. */
  poke(podUid: string): void;
  /** Ends the Pod as Failed, as the kubelet does under pressure or past a deadline. */
  fail(podUid: string, failure: PodFailure): void;
  pause(): void;
  resume(): void;
  /** While muted, statuses are kept back. */
  mute(muted: boolean): void;
  /** The kubelet process starts anew: it forgets what it knew and learns from runtime and API server. */
  restart(): void;
  stop(): void;
}

export const createKubelet = (options: KubeletOptions): Kubelet => {
  const { platform, client, node, catalogue, addresses } = options;
  const { clock, random } = platform;
  const timers = pausable(platform.timers);
  const workers = new Map<string, PodWorker>();
  /** What the process has taken in. */
  const pods = new Map<string, Pod>();
  /** What the API server has shown, taken in or not: a process that starts anew begins with this. */
  const shown = new Map<string, Pod>();
  let muted = false;
  let stopHeartbeat: Cancel | undefined;

  const runtime = createRuntime(platform, (podUid) => relister.changed(podUid));
  const relister = createRelister({ clock, timers, view: runtime.view }, (podUid) => workers.get(podUid)?.notify());
  const health = createHealth(clock, runtime);
  const images = createImageStore(catalogue);
  for (const reference of node.images ?? []) images.pulled(reference);
  const events = options.events
    ? createEventRecorder({ client, clock, random, component: 'kubelet', host: node.name })
    : silentRecorder;
  const statuses = createStatusManager({
    client,
    clock,
    timers,
    delayMs: node.statusDelayMs ?? 0,
    isMuted: () => muted,
  });
  const prober = createProber({
    clock,
    timers,
    health,
    publishedStatus: statuses.current,
    onResult: (pod, change) => {
      if (change.kind === 'readiness') statuses.setReadiness(pod, change.id, change.passes);
      workers.get(uidOf(pod))?.notify();
    },
    onFailure: (pod, container, message) =>
      events.record(pod, { type: 'Warning', reason: 'Unhealthy', message, fieldPath: fieldPathOf(pod, container) }),
  });
  const pulls = createBackOff();
  const crashes = createBackOff();
  const puller = createImagePuller({
    clock,
    timers,
    catalogue,
    store: images,
    backOff: pulls,
    note: (pod, container, note) => events.record(pod, { ...note, fieldPath: fieldPathOf(pod, container) }),
  });
  const parts: NodeParts = {
    clock,
    random,
    timers,
    runtime,
    relister,
    images,
    catalogue,
    puller,
    crashes,
    prober,
    statuses,
    events,
    hostIP: addresses.hostIP,
    reportsObservedGeneration: node.reportsObservedGeneration ?? true,
    addressOf: (pod) => (pod.spec.hostNetwork === true ? addresses.hostIP : addresses.next()),
    onGone: (podUid) => {
      workers.delete(podUid);
      pulls.forget(podUid);
      crashes.forget(podUid);
      events.forget(podUid);
      health.forget(podUid);
    },
  };

  const beat = (): void => {
    stopHeartbeat?.();
    stopHeartbeat = startHeartbeat({ client, clock, timers, node: node.name, log: options.log });
  };

  /** Of Pods that the API server no longer has, which a process that starts anew was never told. */
  const removeOrphans = (): void => {
    for (const podUid of runtime.podUids()) if (!shown.has(podUid)) runtime.remove(podUid);
  };

  const podChanged = (pod: Pod): void => {
    const podUid = uidOf(pod);
    const known = pods.get(podUid);
    pods.set(podUid, pod);
    const worker = workers.get(podUid) ?? createPodWorker(parts, pod);
    workers.set(podUid, worker);
    statuses.shown(pod);
    if (known === undefined || concernsKubelet(known, pod)) worker.notify(pod);
  };

  return {
    runtime,
    health,
    startHeartbeat: beat,
    podChanged: (pod) => {
      shown.set(uidOf(pod), pod);
      timers.run(() => podChanged(pod));
    },
    podRemoved: (pod) => {
      shown.delete(uidOf(pod));
      timers.run(() => {
        pods.delete(uidOf(pod));
        workers.get(uidOf(pod))?.removed();
      });
    },
    poke: (podUid) => {
      prober.poke(podUid);
      workers.get(podUid)?.notify();
    },
    fail: (podUid, failure) => timers.run(() => workers.get(podUid)?.fail(failure)),
    pause: timers.pause,
    resume: timers.resume,
    mute: (now) => {
      muted = now;
      if (!muted) statuses.flush();
    },
    restart: () => {
      for (const worker of workers.values()) worker.abandon();
      workers.clear();
      prober.clear();
      statuses.clear();
      relister.clear();
      pulls.forget('');
      crashes.forget('');
      timers.drop();
      pods.clear();
      timers.run(() => {
        removeOrphans();
        relister.look();
        if (stopHeartbeat !== undefined) beat();
        for (const pod of shown.values()) podChanged(pod);
      });
    },
    stop: () => {
      stopHeartbeat?.();
      for (const worker of workers.values()) worker.abandon();
      prober.clear();
      statuses.clear();
    },
  };
};

/**
 * Whether a change of the Pod wakes its worker: spec, labels, annotations and deletion do, a status does only where a
 * readiness gate may hang on it (`HandlePodReconcile`).
 */
const concernsKubelet = (before: Pod, now: Pod): boolean => {
  if (now.spec.readinessGates !== undefined && !jsonEqual(before.status?.conditions, now.status?.conditions))
    return true;
  const { metadata: was } = before;
  const { metadata: is } = now;
  return (
    was.deletionTimestamp !== is.deletionTimestamp ||
    was.deletionGracePeriodSeconds !== is.deletionGracePeriodSeconds ||
    was.generation !== is.generation ||
    !jsonEqual(was.labels, is.labels) ||
    !jsonEqual(was.annotations, is.annotations) ||
    !jsonEqual(before.spec, now.spec)
  );
};
