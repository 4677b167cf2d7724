import type { Cancel, Platform } from '../../platform/index.ts';
import { randomHex } from '../../platform/index.ts';
import type { ImageBehaviour } from '../cluster-types.ts';
import { type ContainerRecord, emptyPodRecord, newestOf, type PodRecord } from './records.ts';

/** What a container is started with. */
export interface StartRequest {
  readonly name: string;
  readonly image: string;
  readonly content: string;
  readonly restarts: number;
  readonly behaviour: ImageBehaviour;
  /** An init container's work ends by itself if its image says nothing else. */
  readonly endsByItself: boolean;
}

/** The container runtime of one node: it runs on whether or not a kubelet looks. Pods are known by UID. */
export interface Runtime {
  view(podUid: string): PodRecord;
  createSandbox(podUid: string, ip: string): void;
  start(podUid: string, request: StartRequest): ContainerRecord;
  /** TERM now, KILL after `graceMs`; `done` is called once, when the container has ended (at once if it has already). */
  stop(podUid: string, id: string, graceMs: number, done: () => void): void;
  /** The container ends now, from outside. False where it does not run. */
  exit(podUid: string, id: string, end: { readonly code: number; readonly reason?: string | undefined }): boolean;
  /** Forgets containers of this name as if they had never been; a running one is gone without a trace. */
  lose(podUid: string, name: string): void;
  stopSandbox(podUid: string): void;
  remove(podUid: string): void;
  /** The machine goes down: every container ends and every sandbox is lost. */
  reboot(): void;
  podUids(): readonly string[];
  /** Of a running container. `startedAtMs` is monotonic. */
  processOf(id: string): { readonly behaviour: ImageBehaviour; readonly startedAtMs: number } | undefined;
}

/** From TERM to the end of a process that obeys it. */
const obeyMs = 20;
/** How long an init container works if its image says nothing. */
const initWorkMs = 100;

interface Process {
  readonly podUid: string;
  readonly behaviour: ImageBehaviour;
  readonly startedAtMs: number;
  /** When it will end, and how. Only ever moved to an earlier time. */
  end: { readonly atMs: number; readonly cancel: Cancel } | undefined;
  readonly waiting: (() => void)[];
}

/** `onChange` is called after each change of a Pod's record, with its UID. */
export const createRuntime = (platform: Platform, onChange: (podUid: string) => void): Runtime => {
  const pods = new Map<string, PodRecord>();
  /** One per running container, by container ID. */
  const processes = new Map<string, Process>();

  const view = (podUid: string): PodRecord => pods.get(podUid) ?? emptyPodRecord;

  const put = (podUid: string, record: PodRecord): void => {
    pods.set(podUid, record);
    onChange(podUid);
  };

  const endAt = (id: string, process: Process, delayMs: number, end: End): void => {
    const atMs = platform.clock.monotonic() + delayMs;
    if (process.end !== undefined && process.end.atMs <= atMs) return;
    process.end?.cancel();
    process.end = { atMs, cancel: platform.timers.after(delayMs, () => finish(process.podUid, id, end)) };
  };

  const finish = (podUid: string, id: string, end: End): boolean => {
    const process = processes.get(id);
    if (process === undefined) return false;
    processes.delete(id);
    process.end?.cancel();
    const finishedAtMs = platform.clock.wall();
    const record = view(podUid);
    put(podUid, {
      ...record,
      containers: record.containers.map((container) =>
        container.id === id
          ? { ...container, run: { state: 'exited', startedAtMs: container.run.startedAtMs, finishedAtMs, ...end } }
          : container,
      ),
    });
    for (const done of process.waiting) done();
    return true;
  };

  return {
    view,
    createSandbox: (podUid, ip) => put(podUid, { ...view(podUid), sandbox: { ip, ready: true } }),
    start: (podUid, { behaviour, endsByItself, ...request }) => {
      const nowMs = platform.clock.wall();
      const record = view(podUid);
      const container: ContainerRecord = {
        ...request,
        id: `containerd://${randomHex(platform.random, 32)}`,
        log: behaviour.log ?? [],
        run: { state: 'running', startedAtMs: nowMs },
      };
      const process: Process = {
        podUid,
        behaviour,
        startedAtMs: platform.clock.monotonic(),
        end: undefined,
        waiting: [],
      };
      processes.set(container.id, process);
      const before = newestOf(record, request.name);
      const others = record.containers.filter((other) => other.name !== request.name || other === before);
      put(podUid, { ...record, containers: [container, ...others] });
      const endsAfterMs = behaviour.exitsAfterMs ?? (endsByItself ? initWorkMs : undefined);
      if (endsAfterMs !== undefined) endAt(container.id, process, endsAfterMs, ended(behaviour.exitCode ?? 0));
      return container;
    },
    stop: (_podUid, id, graceMs, done) => {
      const process = processes.get(id);
      if (process === undefined) return done();
      process.waiting.push(done);
      if (process.behaviour.ignoresTerm === true) endAt(id, process, graceMs, ended(137));
      else endAt(id, process, Math.min(obeyMs, graceMs), ended(0));
    },
    exit: (podUid, id, { code, reason }) =>
      finish(podUid, id, { ...ended(code), ...(reason === undefined ? {} : { reason }) }),
    lose: (podUid, name) => {
      const record = view(podUid);
      for (const container of record.containers) if (container.name === name) finish(podUid, container.id, ended(137));
      put(podUid, { ...record, containers: record.containers.filter((container) => container.name !== name) });
    },
    stopSandbox: (podUid) => {
      const record = view(podUid);
      if (record.sandbox?.ready === true) put(podUid, { ...record, sandbox: { ...record.sandbox, ready: false } });
    },
    remove: (podUid) => {
      for (const container of view(podUid).containers) finish(podUid, container.id, ended(137));
      pods.delete(podUid);
    },
    reboot: () => {
      for (const [id, process] of [...processes]) finish(process.podUid, id, { exitCode: 255, reason: 'Unknown' });
      for (const [podUid, record] of [...pods]) {
        if (record.sandbox !== undefined) put(podUid, { ...record, sandbox: { ...record.sandbox, ready: false } });
      }
    },
    podUids: () => [...pods.keys()],
    processOf: (id) => processes.get(id),
  };
};

interface End {
  readonly exitCode: number;
  readonly reason: string;
}

const ended = (exitCode: number): End => ({ exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' });
