import { isTerminating, type Pod, type PodStatus, uidOf } from '../../objects/index.ts';
import { type Cancel, fraction } from '../../platform/index.ts';
import type { StartProblem } from './container-status.ts';
import { killContainer, killPod } from './kill-container.ts';
import type { NodeParts } from './node-parts.ts';
import { isOver, type PodFailure, podStatus } from './pod-status.ts';
import { isRunning, type PodRecord } from './records.ts';
import { startContainer } from './start-container.ts';
import { planSync, type SyncStep } from './sync-plan.ts';

/**
 * What the worker of a Pod is at. A Pod has one worker, and it does one thing at a time: while it kills or pulls,
 * newer specs and statuses wait.
 */
export type WorkerState =
  /** The last sync did all it could. */
  | { readonly state: 'idle' }
  /** A sync has taken its spec, and waits for a view of the runtime that is newer than the end of the last sync. */
  | { readonly state: 'waiting-for-relist' }
  | { readonly state: 'syncing'; readonly cancel: Cancel }
  /** Everything is being stopped, for good. */
  | { readonly state: 'terminating' }
  | { readonly state: 'finished' };

export interface PodWorker {
  readonly state: WorkerState['state'];
  /** Something happened; `pod` is a newer view of it by the API server. Never undoes what is under way. */
  notify(pod?: Pod): void;
  /** The API server no longer has the Pod. */
  removed(): void;
  /** Ends the Pod as Failed, for good. */
  fail(failure: PodFailure): void;
  /** Drops everything under way, as a kubelet that dies does. Containers run on. */
  abandon(): void;
}

/** One sync: the spec and the view of the runtime it began with, and what it has still to do. */
interface Sync {
  readonly pod: Pod;
  readonly record: PodRecord;
  readonly steps: readonly SyncStep[];
  readonly failed: boolean;
}

/** A sync that failed is repeated after this long, or up to half as much again (`backOffPeriod`). */
const retryMs = 10_000;
const sandboxMs = 30;

const deadlineExceeded: PodFailure = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

export const createPodWorker = (parts: NodeParts, first: Pod): PodWorker => {
  const podUid = uidOf(first);
  const { clock, timers, runtime, relister, prober, statuses } = parts;
  let state: WorkerState = { state: 'idle' };
  let pod = first;
  let pending = false;
  let removed = false;
  let failure: PodFailure | undefined;
  /** Monotonic. */
  let syncedAtMs = Number.NEGATIVE_INFINITY;
  let cancelRetry: Cancel = () => undefined;
  let cancelDeadline: Cancel = () => undefined;
  /** Why containers could not be started, of the last sync that tried; shown by the next status. */
  const problems = new Map<string, StartProblem>();

  const publish = (spec: Pod, record: PodRecord, over: boolean): PodStatus => {
    // Readiness gates are read from the newest status, even where the sync works on an older spec.
    const seen = { ...spec, status: pod.status };
    const status = podStatus(seen, {
      record,
      previous: statuses.current(podUid) ?? pod.status,
      over,
      failure,
      nowMs: clock.wall(),
      hostIP: parts.hostIP,
      reportsObservedGeneration: parts.reportsObservedGeneration,
      report: parts.images.report,
      problemOf: (container) => problems.get(container),
      isReady: (container, id) => prober.isReady(podUid, container, id),
      isStarted: (container, id) => prober.isStarted(podUid, container, id),
    });
    statuses.set(seen, status);
    return status;
  };

  const begin = (): void => {
    if (!pending) return;
    pending = false;
    const spec = pod;
    if (relister.viewedAtMs(podUid) > syncedAtMs) {
      sync(spec);
      return;
    }
    const waiting: WorkerState = { state: 'waiting-for-relist' };
    state = waiting;
    relister.afterNext(podUid, () => {
      if (state === waiting) sync(spec);
    });
  };

  const sync = (spec: Pod): void => {
    const record = relister.view(podUid);
    const status = publish(spec, record, false);
    if (isOver(status.phase)) {
      terminate();
      return;
    }
    watchDeadline(spec, status);
    prober.add(spec);
    prober.published(podUid);
    const steps = planSync(spec, record, {
      started: (container, id) => prober.isStarted(podUid, container, id),
      failed: (container, id) => prober.failed(podUid, container, id),
    });
    advance({ pod: spec, record, steps, failed: false });
  };

  const watchDeadline = (spec: Pod, { startTime }: PodStatus): void => {
    cancelDeadline();
    const seconds = spec.spec.activeDeadlineSeconds;
    if (seconds === undefined || startTime === undefined) return;
    const leftMs = Date.parse(startTime) + seconds * 1000 - clock.wall();
    cancelDeadline = timers.after(leftMs, () => fail(deadlineExceeded));
  };

  const advance = (current: Sync): void => {
    const [step, ...steps] = current.steps;
    if (step === undefined) {
      finishSync(current.failed);
      return;
    }
    let cancel: Cancel = () => undefined;
    const mine: WorkerState = { state: 'syncing', cancel: () => cancel() };
    state = mine;
    cancel = perform(step, current, (problem) =>
      timers.run(() => {
        if (state !== mine) return;
        // An init container that cannot start ends the sync: nothing may start before it.
        const goesOn = problem === undefined || step.do !== 'start' || step.role !== 'init';
        advance({ ...current, steps: goesOn ? steps : [], failed: current.failed || problem !== undefined });
      }),
    );
  };

  const perform = (step: SyncStep, { pod: spec, record }: Sync, done: (problem?: StartProblem) => void): Cancel => {
    switch (step.do) {
      case 'create-sandbox':
        return killPod(parts, spec, record, () => {
          timers.after(sandboxMs, () => {
            runtime.createSandbox(podUid, parts.addressOf(spec));
            done();
          });
        });
      case 'kill':
        return killContainer(parts, { pod: spec, ...step }, done);
      case 'kill-pod':
        return killPod(parts, spec, record, () => {
          runtime.stopSandbox(podUid);
          done();
        });
      case 'start':
        return startContainer(parts, { pod: spec, record, ...step }, (problem) => {
          if (problem === undefined) problems.delete(step.container.name);
          else problems.set(step.container.name, problem);
          done(problem);
        });
    }
  };

  const finishSync = (failed: boolean): void => {
    syncedAtMs = clock.monotonic();
    state = { state: 'idle' };
    cancelRetry();
    if (failed) cancelRetry = timers.after(retryMs * (1 + fraction(parts.random) / 2), () => notify());
    begin();
  };

  const terminate = (): void => {
    if (state.state === 'syncing') state.cancel();
    state = { state: 'terminating' };
    cancelRetry();
    cancelDeadline();
    if (!removed) publish(pod, relister.view(podUid), false);
    stopEverything();
  };

  /** Called again where the grace period got shorter: whatever still runs then ends earlier. */
  const stopEverything = (): void => {
    killPod(parts, pod, runtime.view(podUid), () =>
      timers.run(() => {
        if (state.state !== 'terminating' || runtime.view(podUid).containers.some(isRunning)) return;
        runtime.stopSandbox(podUid);
        relister.afterNext(podUid, finish);
      }),
    );
  };

  const finish = (): void => {
    if (state.state !== 'terminating') return;
    state = { state: 'finished' };
    prober.remove(podUid);
    if (removed) {
      cleanUp();
      return;
    }
    publish(pod, runtime.view(podUid), true);
    statuses.finish(pod);
  };

  const cleanUp = (): void => {
    runtime.remove(podUid);
    relister.forget(podUid);
    statuses.forget(podUid);
    parts.onGone(podUid);
  };

  const fail = (why: PodFailure): void => {
    if (state.state === 'terminating' || state.state === 'finished') return;
    failure = why;
    parts.events.record(pod, { type: 'Warning', ...why });
    terminate();
  };

  const notify = (next: Pod = pod): void => {
    const before = pod;
    pod = next;
    switch (state.state) {
      case 'finished':
        statuses.finish(pod);
        break;
      case 'terminating':
        if (pod.metadata.deletionGracePeriodSeconds !== before.metadata.deletionGracePeriodSeconds) stopEverything();
        break;
      default:
        pending = true;
        if (isTerminating(pod)) terminate();
        else if (state.state === 'idle') begin();
    }
  };

  return {
    get state() {
      return state.state;
    },
    notify,
    removed: () => {
      removed = true;
      statuses.forget(podUid);
      if (state.state === 'finished') cleanUp();
      else if (state.state !== 'terminating') terminate();
    },
    fail,
    abandon: () => {
      if (state.state === 'syncing') state.cancel();
      state = { state: 'finished' };
      cancelRetry();
      cancelDeadline();
    },
  };
};
