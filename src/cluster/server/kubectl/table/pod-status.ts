import type { Container, ContainerStatus, Pod } from '../../../../objects/index.ts';

/** What `kubectl get pods` says about a Pod, before ages are turned into words. */
export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  readonly status: string;
  readonly restarts: number;
  /** When the container that ended last ended, of those counted in `restarts`. */
  readonly lastRestart?: string | undefined;
}

/** A part of the story: a status that overrides the one before it, and what it counts. */
interface Chapter {
  readonly status?: string | undefined;
  readonly ready: number;
  readonly restarted: readonly ContainerStatus[];
}

/**
 * The summary as printPod of kube-apiserver computes it: phase, then reason, then the first init container that is not done,
 * else the first container that has a reason; deletion overrides all.
 */
export const summarise = (pod: Pod): PodSummary => {
  const conditions = pod.status?.conditions ?? [];
  const holds = (type: string): boolean => conditions.some((it) => it.type === type && it.status === 'True');
  const sidecars = (pod.spec.initContainers ?? []).filter(isSidecar);

  const init = initChapter(pod);
  const initialised = init.status === undefined || holds('Initialized');
  const main = initialised ? mainChapter(pod, init) : undefined;

  const before = conditions.some((it) => it.type === 'PodScheduled' && it.reason === 'SchedulingGated')
    ? 'SchedulingGated'
    : pod.status?.reason || pod.status?.phase || 'Unknown';
  const computed = main?.status ?? init.status ?? before;
  // A container that runs on keeps a Pod Running although another one is done.
  const status = computed === 'Completed' && main?.runs === true ? (holds('Ready') ? 'Running' : 'NotReady') : computed;

  const restarted = main?.restarted ?? init.restarted;
  return {
    ready: init.ready + (main?.ready ?? 0),
    total: pod.spec.containers.length + sidecars.length,
    status: whileDeleted(pod) ?? status,
    restarts: restarted.reduce((sum, { restartCount }) => sum + restartCount, 0),
    lastRestart: restarted.reduce(laterEnd, undefined),
  };
};

const isSidecar = (container: Container | undefined): boolean => container?.restartPolicy === 'Always';

const whileDeleted = (pod: Pod): string | undefined => {
  if (pod.metadata.deletionTimestamp === undefined) return undefined;
  if (pod.status?.reason === 'NodeLost') return 'Unknown';
  const phase = pod.status?.phase;
  return phase === 'Succeeded' || phase === 'Failed' ? undefined : 'Terminating';
};

const initChapter = (pod: Pod): Chapter => {
  const specs = new Map((pod.spec.initContainers ?? []).map((container) => [container.name, container]));
  const statuses = pod.status?.initContainerStatuses ?? [];
  const started = (it: ContainerStatus): boolean => isSidecar(specs.get(it.name)) && it.started === true;
  const done = (it: ContainerStatus): boolean => it.state?.terminated?.exitCode === 0;
  const blocking = statuses.findIndex((it) => !done(it) && !started(it));
  const passed = blocking < 0 ? statuses : statuses.slice(0, blocking);
  const blocker = statuses[blocking];
  return {
    ready: passed.filter((it) => !done(it) && it.ready).length,
    status: blocker === undefined ? undefined : `Init:${initReason(blocker) ?? `${blocking}/${specs.size}`}`,
    restarted: blocker === undefined ? passed : [...passed, blocker],
  };
};

const initReason = ({ state }: ContainerStatus): string | undefined => {
  if (state?.terminated !== undefined) return endReason(state.terminated);
  const waiting = state?.waiting?.reason;
  return waiting === 'PodInitializing' ? undefined : waiting || undefined;
};

const mainChapter = (pod: Pod, init: Chapter): Chapter & { readonly runs: boolean } => {
  const specs = new Map((pod.spec.initContainers ?? []).map((container) => [container.name, container]));
  const statuses = pod.status?.containerStatuses ?? [];
  const running = statuses.filter((it) => mainReason(it) === undefined && it.ready && it.state?.running !== undefined);
  return {
    // The first container with a reason speaks for the Pod.
    status: statuses.map(mainReason).find((reason) => reason !== undefined) ?? init.status,
    ready: running.length,
    runs: running.length > 0,
    // Restarts of init containers that are through are history; those of sidecars go on.
    restarted: [...init.restarted.filter((it) => isSidecar(specs.get(it.name))), ...statuses],
  };
};

const mainReason = ({ state }: ContainerStatus): string | undefined =>
  state?.waiting?.reason || (state?.terminated === undefined ? undefined : endReason(state.terminated));

const endReason = (ended: {
  readonly reason?: string | undefined;
  readonly signal?: number | undefined;
  readonly exitCode: number;
}): string => ended.reason || (ended.signal ? `Signal:${ended.signal}` : `ExitCode:${ended.exitCode}`);

const laterEnd = (latest: string | undefined, { lastState }: ContainerStatus): string | undefined => {
  const end = lastState?.terminated?.finishedAt;
  if (end === undefined) return latest;
  return latest === undefined || Date.parse(end) > Date.parse(latest) ? end : latest;
};
