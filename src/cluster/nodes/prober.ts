import type { Container, ContainerStatus, Pod, PodStatus, Probe } from '../../objects/index.ts';
import { uidOf } from '../../objects/index.ts';
import type { Cancel, Clock, Timers } from '../../platform/index.ts';
import type { Health, HealthQuestion } from './health.ts';
import {
  failureMessage,
  freshMemory,
  isTurnOf,
  type ProbeKind,
  type ProbeMemory,
  probeOnce,
  probesNotBefore,
  probesOf,
} from './probe-worker.ts';

export interface ProbeChange {
  readonly kind: ProbeKind;
  readonly id: string;
  readonly passes: boolean;
}

export interface ProberOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly health: Health;
  /** The status last published of a Pod. */
  publishedStatus(podUid: string): PodStatus | undefined;
  onResult(pod: Pod, change: ProbeChange): void;
  /** A probe has failed for the first time in a row. */
  onFailure(pod: Pod, container: Container, message: string): void;
}

/** The probes of all Pods of a node. None has a timer at rest: a result that cannot change is not asked for. */
export interface Prober {
  /** Watches every probe of the Pod from now on. Those that are watched already stay as they are. */
  add(pod: Pod): void;
  isReady(podUid: string, container: Container, id: string): boolean;
  /** The startup probe has passed, or there is none. */
  isStarted(podUid: string, container: Container, id: string): boolean;
  /** Which probe has failed so often that this container must be killed. */
  failed(podUid: string, container: Container, id: string): 'liveness' | 'startup' | undefined;
  /** A status was published; probes turn to what it shows. */
  published(podUid: string): void;
  /** The process changed its mind: whatever is asked next may be answered differently. */
  poke(podUid: string): void;
  remove(podUid: string): void;
  clear(): void;
}

/** How long one probe takes. */
const probeMs = 50;

interface Worker {
  readonly pod: Pod;
  readonly container: Container;
  readonly kind: ProbeKind;
  readonly probe: Probe;
  /** Ticks come at this moment plus whole periods, on the monotonic clock. */
  readonly phaseMs: number;
  memory: ProbeMemory;
  /** What of the published status it has turned to. */
  seen: string;
  timer: { readonly atMs: number; readonly cancel: Cancel } | undefined;
}

export const createProber = (options: ProberOptions): Prober => {
  const { clock, timers, health } = options;
  const workersOf = new Map<string, Worker[]>();

  const find = (podUid: string, container: string, kind: ProbeKind): Worker | undefined =>
    workersOf.get(podUid)?.find((worker) => worker.container.name === container && worker.kind === kind);

  const statusOf = (worker: Worker): ContainerStatus | undefined => {
    const status = options.publishedStatus(uidOf(worker.pod));
    const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
    return all.find((container) => container.name === worker.container.name);
  };

  const question = ({ pod, container, kind }: Worker, id: string): HealthQuestion => ({
    podUid: uidOf(pod),
    container: container.name,
    id,
    kind,
  });

  const runAfter = (worker: Worker, delayMs: number): void => {
    const atMs = clock.monotonic() + delayMs;
    if (worker.timer !== undefined && worker.timer.atMs <= atMs) return;
    worker.timer?.cancel();
    worker.timer = { atMs, cancel: timers.after(delayMs, () => run(worker)) };
  };

  /** Runs at the first tick that is at least `inMs` away, and not this one. */
  const runAtTick = (worker: Worker, inMs: number): void => {
    const sincePhase = clock.monotonic() - worker.phaseMs;
    const period = Math.max(1, worker.probe.periodSeconds ?? 10) * 1000;
    const tick = Math.max(Math.floor(sincePhase / period) + 1, Math.ceil((sincePhase + inMs) / period));
    runAfter(worker, tick * period - sincePhase + probeMs);
  };

  const run = (worker: Worker): void => {
    worker.timer = undefined;
    const status = statusOf(worker);
    const before = worker.memory;
    const { kind, probe } = worker;
    const outcome = (id: string): 'success' | 'failure' =>
      health.passes(question(worker, id)) ? 'success' : 'failure';
    worker.memory = probeOnce(before, { kind, probe, status, nowMs: clock.wall(), outcome });
    planNext(worker, status);
    report(worker, before);
  };

  const report = ({ pod, container, kind, probe, memory }: Worker, before: ProbeMemory): void => {
    const ran = memory.last !== before.last || memory.runs !== before.runs;
    if (ran && memory.last === 'failure' && memory.runs <= 1) {
      options.onFailure(pod, container, failureMessage(kind, probe));
    }
    if (memory.id === undefined || memory.result === 'unknown') return;
    if (memory.id === before.id && memory.result === before.result) return;
    options.onResult(pod, { kind, id: memory.id, passes: memory.result === 'success' });
  };

  /** Asks again when an answer is due that could change the result; otherwise the next status or poke will. */
  const planNext = (worker: Worker, status: ContainerStatus | undefined): void => {
    const { memory, kind, probe } = worker;
    if (status?.state?.running === undefined || memory.id === undefined || memory.onHold) return;
    if (!isTurnOf(kind, status)) return;
    const delayed = probesNotBefore({ probe, status }) - clock.wall();
    const changesIn = memory.last === memory.result ? health.nextChange(question(worker, memory.id)) : 0;
    if (delayed > 0) runAtTick(worker, delayed);
    else if (changesIn !== undefined) runAtTick(worker, changesIn);
  };

  /** A container that runs and is not ready yet is asked at once, whatever the tick (`manualTriggerCh`). */
  const turnTo = (worker: Worker): void => {
    const status = statusOf(worker);
    const running = status?.state?.running !== undefined;
    const seen = `${status?.containerID} ${running} ${status?.started}`;
    const passes = worker.memory.id === status?.containerID && worker.memory.result === 'success';
    if (worker.kind === 'readiness' && running && status?.started === true && !passes) runAfter(worker, probeMs);
    else if (seen !== worker.seen) runAtTick(worker, 0);
    worker.seen = seen;
  };

  const remove = (podUid: string): void => {
    for (const worker of workersOf.get(podUid) ?? []) worker.timer?.cancel();
    workersOf.delete(podUid);
  };

  return {
    add: (pod) => {
      const podUid = uidOf(pod);
      if (workersOf.has(podUid)) return;
      const probed = [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
      const phaseMs = clock.monotonic();
      const workers = probed.flatMap((container) =>
        probesOf(container).map(
          ([kind, probe]): Worker => ({
            pod,
            container,
            kind,
            probe,
            phaseMs,
            memory: freshMemory,
            seen: '',
            timer: undefined,
          }),
        ),
      );
      workersOf.set(podUid, workers);
    },
    isReady: (podUid, container, id) => {
      const worker = find(podUid, container.name, 'readiness');
      if (worker === undefined) return health.overridden(podUid, container.name) ?? true;
      return worker.memory.id === id && worker.memory.result === 'success';
    },
    isStarted: (podUid, container, id) => {
      const worker = find(podUid, container.name, 'startup');
      return worker === undefined || (worker.memory.id === id && worker.memory.result === 'success');
    },
    failed: (podUid, container, id) => {
      for (const kind of ['liveness', 'startup'] as const) {
        const memory = find(podUid, container.name, kind)?.memory;
        if (memory?.id === id && memory.result === 'failure') return kind;
      }
      return undefined;
    },
    published: (podUid) => {
      for (const worker of workersOf.get(podUid) ?? []) turnTo(worker);
    },
    poke: (podUid) => {
      for (const worker of workersOf.get(podUid) ?? []) runAtTick(worker, 0);
    },
    remove,
    clear: () => {
      for (const podUid of [...workersOf.keys()]) remove(podUid);
    },
  };
};
