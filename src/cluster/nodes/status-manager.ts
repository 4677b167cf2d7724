import { compareVersions, isApiError, type KubeClient, resources } from '../../kube/index.ts';
import {
  isTerminating,
  jsonEqual,
  type Pod,
  type PodCondition,
  type PodStatus,
  refOf,
  resourceVersionOf,
  uidOf,
} from '../../objects/index.ts';
import type { Cancel, Clock } from '../../platform/index.ts';
import type { Pausable } from './pausable.ts';
import { withReadiness } from './pod-status.ts';

export interface StatusManagerOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly timers: Pausable;
  /** How long a status waits before it is sent; later ones replace it meanwhile. */
  readonly delayMs: number;
  /** While true nothing is sent; `flush` sends what was kept back. */
  isMuted(): boolean;
}

/**
 * Publishes Pod statuses, one write per Pod at a time. What changes during a write is sent after it, and only the
 * newest of it: statuses coalesce, and an old one may reach the API server after a newer spec.
 */
export interface StatusManager {
  /** The newest status of the Pod, sent or not. */
  current(podUid: string): PodStatus | undefined;
  set(pod: Pod, status: PodStatus): void;
  /** A probe changed the readiness of one container between two syncs. */
  setReadiness(pod: Pod, id: string, ready: boolean): void;
  /** Nothing of the Pod runs any more: once its status is written and its deletion was asked for, it is deleted. */
  finish(pod: Pod): void;
  /** The API server shows the Pod so. Where somebody else changed what is the kubelet's, it is written again. */
  shown(pod: Pod): void;
  flush(): void;
  forget(podUid: string): void;
  clear(): void;
}

interface Entry {
  pod: Pod;
  status: PodStatus;
  /** What the API server last confirmed. */
  confirmed: PodStatus | undefined;
  /** The resourceVersion of that answer. */
  confirmedVersion: string;
  finished: boolean;
  /** Something is under way: a timer or a request. At most one. */
  busy: boolean;
  cancel: Cancel;
}

/** A failed write is tried again with the next round of the kubelet's status sync. */
const retryMs = 10_000;

export const createStatusManager = (options: StatusManagerOptions): StatusManager => {
  const { client, clock, timers } = options;
  const entries = new Map<string, Entry>();

  const hasWork = (entry: Entry): boolean =>
    entry.status !== entry.confirmed || (entry.finished && isTerminating(entry.pod));

  const wake = (entry: Entry, delayMs: number): void => {
    if (entry.busy || !hasWork(entry) || options.isMuted()) return;
    entry.busy = true;
    entry.cancel = timers.after(delayMs, () => void work(entry));
  };

  const work = async (entry: Entry): Promise<void> => {
    if (options.isMuted()) {
      entry.busy = false;
      return;
    }
    const next = await (entry.status === entry.confirmed ? remove(entry) : send(entry));
    timers.run(() => {
      entry.busy = false;
      if (next !== 'gone') wake(entry, next === 'failed' ? retryMs : options.delayMs);
      else if (entries.get(uidOf(entry.pod)) === entry) entries.delete(uidOf(entry.pod));
    });
  };

  const send = async (entry: Entry): Promise<Outcome> => {
    const { pod, status } = entry;
    const body = { metadata: { uid: uidOf(pod) }, status: replacing(entry.confirmed ?? pod.status, status) };
    try {
      const patch = { type: 'strategic', body } as const;
      const written = await client.patch(resources.pods, refOf(pod), patch, { subresource: 'status' });
      entry.confirmed = status;
      entry.confirmedVersion = resourceVersionOf(written);
      return 'done';
    } catch (error) {
      return outcomeOf(error);
    }
  };

  const remove = async ({ pod }: Entry): Promise<Outcome> => {
    try {
      await client.delete(resources.pods, refOf(pod), { uid: uidOf(pod), gracePeriodSeconds: 0 });
      return 'gone';
    } catch (error) {
      return outcomeOf(error);
    }
  };

  const entryOf = (pod: Pod, status: PodStatus): Entry => {
    const known = entries.get(uidOf(pod));
    if (known !== undefined) return known;
    const entry: Entry = {
      pod,
      status,
      confirmed: undefined,
      confirmedVersion: '0',
      finished: false,
      busy: false,
      cancel: () => undefined,
    };
    entries.set(uidOf(pod), entry);
    return entry;
  };

  const publish = (pod: Pod, status: PodStatus): Entry => {
    const entry = entryOf(pod, status);
    entry.pod = pod;
    if (!jsonEqual(entry.status, status)) entry.status = status;
    wake(entry, options.delayMs);
    return entry;
  };

  const forget = (podUid: string): void => {
    entries.get(podUid)?.cancel();
    entries.delete(podUid);
  };

  return {
    current: (podUid) => entries.get(podUid)?.status,
    set: publish,
    setReadiness: (pod, id, ready) => {
      const entry = entries.get(uidOf(pod));
      if (entry === undefined) return;
      const status = withReadiness(entry.pod, entry.status, { id, ready, nowMs: clock.wall() });
      if (status !== undefined) publish(entry.pod, status);
    },
    finish: (pod) => {
      const entry = entries.get(uidOf(pod));
      if (entry === undefined) return;
      entry.pod = pod;
      entry.finished = true;
      wake(entry, 0);
    },
    shown: (pod) => {
      const entry = entries.get(uidOf(pod));
      if (entry === undefined || entry.busy || entry.confirmed === undefined) return;
      if (compareVersions(resourceVersionOf(pod), entry.confirmedVersion) <= 0) return;
      if (holds(pod.status, entry.confirmed)) return;
      entry.confirmed = undefined;
      wake(entry, retryMs);
    },
    flush: () => {
      for (const entry of entries.values()) wake(entry, 0);
    },
    forget,
    clear: () => {
      for (const podUid of [...entries.keys()]) forget(podUid);
    },
  };
};

type Outcome = 'done' | 'failed' | 'gone';

/**
 * Where another Pod has the name by now (a wrong UID answers 422 to a patch and 409 to a delete), the watch will tell,
 * and nothing is tried any more.
 */
const outcomeOf = (error: unknown): Outcome => (isApiError(error, 'not-found') ? 'gone' : 'failed');

/** Whether the API server's status says what the kubelet said; conditions of others are not its business. */
const holds = (shown: PodStatus | undefined, confirmed: PodStatus): boolean => {
  const { conditions = [], containerStatuses, phase } = confirmed;
  const said = (condition: PodCondition): boolean =>
    shown?.conditions?.some(({ type, status }) => type === condition.type && status === condition.status) === true;
  return phase === shown?.phase && jsonEqual(containerStatuses, shown?.containerStatuses) && conditions.every(said);
};

/** A strategic merge patch that makes the kubelet's fields exactly these; conditions of others stay. */
const replacing = (before: PodStatus | undefined, status: PodStatus): unknown => {
  const dropped = ownFields.filter((field) => before?.[field] !== undefined && status[field] === undefined);
  return {
    ...status,
    ...Object.fromEntries(dropped.map((field) => [field, null])),
    conditions: (status.conditions ?? []).map((condition) => {
      const known = before?.conditions?.find((other) => other.type === condition.type);
      return { ...clearing(known), ...condition };
    }),
    hostIPs: [{ $patch: 'replace' }, ...(status.hostIPs ?? [])],
    ...(status.podIPs === undefined ? {} : { podIPs: [{ $patch: 'replace' }, ...status.podIPs] }),
  };
};

/** Conditions are merged field by field: a reason that no longer holds must be taken out by name. */
const clearing = (known: PodCondition | undefined): Readonly<Record<string, null>> => ({
  ...(known?.reason === undefined ? {} : { reason: null }),
  ...(known?.message === undefined ? {} : { message: null }),
});

const ownFields = ['reason', 'message', 'podIP', 'podIPs', 'initContainerStatuses'] as const;
