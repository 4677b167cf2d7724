import type { Container, ContainerStatus, Pod, PodStatus } from '../../objects/index.ts';
import { type ContainerSources, containerStatus, type StartProblem } from './container-status.ts';
import { podConditions, sinceWhen } from './pod-conditions.ts';
import { phaseOf } from './pod-phase.ts';
import type { PodRecord } from './records.ts';
import { timestamp } from './timestamp.ts';

export interface StatusSources extends Pick<ContainerSources, 'report' | 'isReady' | 'isStarted'> {
  /** The runtime as the last relist saw it. */
  readonly record: PodRecord;
  /** The status last published by this kubelet, or the API server's at the start. */
  readonly previous: PodStatus | undefined;
  problemOf(container: string): StartProblem | undefined;
  readonly hostIP: string;
  readonly nowMs: number;
  /** Nothing runs and nothing will. */
  readonly over: boolean;
  readonly reportsObservedGeneration: boolean;
  /** The kubelet has given the Pod up; shown once nothing of it runs. */
  readonly failure: PodFailure | undefined;
}

/** `Evicted`, `DeadlineExceeded`, … */
export interface PodFailure {
  readonly reason: string;
  readonly message: string;
}

/** What the kubelet publishes at the start of a sync (`generateAPIPodStatus`); it says *seen*, not *acted on*. */
export const podStatus = (pod: Pod, from: StatusSources): PodStatus => {
  const { previous, nowMs } = from;
  const init = statusesOf(pod, pod.spec.initContainers ?? [], previous?.initContainerStatuses, from);
  const main = statusesOf(pod, pod.spec.containers, previous?.containerStatuses, from);
  const computed = phaseOf(pod, { init, main }, from.over);
  const failure = from.over ? from.failure : undefined;
  const ended = failure === undefined ? computed : 'Failed';
  const phase = isOver(previous?.phase) ? previous?.phase : ended;
  const observedGeneration = from.reportsObservedGeneration ? pod.metadata.generation : undefined;
  const verdicts = podConditions(pod, { phase, init, main, hasSandbox: from.record.sandbox?.ready === true });
  // The Pod keeps its address when its sandbox is gone.
  const podIP = from.record.sandbox?.ip ?? previous?.podIP;
  return {
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    phase,
    conditions: sinceWhen(verdicts, previous?.conditions, { nowMs, observedGeneration }),
    hostIP: from.hostIP,
    hostIPs: [{ ip: from.hostIP }],
    ...(podIP === undefined ? {} : { podIP, podIPs: [{ ip: podIP }] }),
    startTime: previous?.startTime ?? timestamp(nowMs),
    ...(init.length === 0 ? {} : { initContainerStatuses: init }),
    containerStatuses: main,
    ...(previous?.reason === undefined ? {} : { reason: previous.reason }),
    ...(previous?.message === undefined ? {} : { message: previous.message }),
    ...failure,
  };
};

export const isOver = (phase: PodStatus['phase']): boolean => phase === 'Succeeded' || phase === 'Failed';

const statusesOf = (
  pod: Pod,
  containers: readonly Container[],
  previous: readonly ContainerStatus[] | undefined,
  from: StatusSources,
): readonly ContainerStatus[] =>
  containers.map((container) =>
    containerStatus(pod, container, {
      ...from,
      previous: previous?.find((status) => status.name === container.name),
      problem: from.problemOf(container.name),
    }),
  );

/**
 * The same status with another readiness of one container, as a probe result changes it between two syncs. The
 * generation it speaks of stays. Undefined where that container is not in the status any more.
 */
export const withReadiness = (
  pod: Pod,
  status: PodStatus,
  change: { readonly id: string; readonly ready: boolean; readonly nowMs: number },
): PodStatus | undefined => {
  const known = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const current = known.find((container) => container.containerID === change.id);
  if (current === undefined || current.ready === change.ready) return undefined;
  const set = (container: ContainerStatus): ContainerStatus =>
    container.containerID === change.id ? { ...container, ready: change.ready } : container;
  const init = (status.initContainerStatuses ?? []).map(set);
  const main = (status.containerStatuses ?? []).map(set);
  const hasSandbox = status.conditions?.some((c) => c.type === 'PodReadyToStartContainers' && c.status === 'True');
  const verdicts = podConditions(pod, { phase: status.phase, init, main, hasSandbox: hasSandbox === true });
  return {
    ...status,
    ...(init.length === 0 ? {} : { initContainerStatuses: init }),
    containerStatuses: main,
    conditions: sinceWhen(verdicts, status.conditions, {
      nowMs: change.nowMs,
      observedGeneration: status.observedGeneration,
    }),
  };
};
