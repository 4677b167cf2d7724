import type { ContainerStatus, Pod, PodCondition, PodStatus } from '../../objects/index.ts';
import { initProgress } from './pod-phase.ts';
import { isSidecar } from './restart-policy.ts';
import { timestamp } from './timestamp.ts';

/** A condition before it is known since when it has its value. */
type Verdict = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>;

export interface ConditionSources {
  readonly phase: PodStatus['phase'];
  readonly init: readonly ContainerStatus[];
  readonly main: readonly ContainerStatus[];
  readonly hasSandbox: boolean;
}

/**
 * The conditions a kubelet owns, in its order, and `PodScheduled`, which it repeats. Readiness gates are judged by
 * the conditions of the Pod as the API server has them.
 */
export const podConditions = (pod: Pod, from: ConditionSources): readonly Verdict[] => {
  const containers = containersReady(pod, from);
  return [
    verdict('PodReadyToStartContainers', from.hasSandbox),
    initialized(pod, from),
    podReady(pod, containers),
    containers,
    verdict('PodScheduled', true),
  ];
};

const verdict = (type: string, holds: boolean): Verdict => ({ type, status: holds ? 'True' : 'False' });

const refuse = (type: string, reason: string, message?: string): Verdict => ({
  type,
  status: 'False',
  reason,
  ...(message === undefined ? {} : { message }),
});

const initialized = (pod: Pod, { init, main, phase }: ConditionSources): Verdict => {
  const waited = main.every((status) => status.state?.running === undefined && !hasEnded(status));
  if (initProgress(pod, init) === 'done' || !waited) {
    return { ...verdict('Initialized', true), ...(phase === 'Succeeded' ? { reason: 'PodCompleted' } : {}) };
  }
  const incomplete = (pod.spec.initContainers ?? [])
    .map((container) => ({ container, status: init.find((status) => status.name === container.name) }))
    .filter(({ container, status }) =>
      isSidecar(container) ? status?.started !== true : status?.state?.terminated?.exitCode !== 0,
    );
  const names = incomplete.map(({ container }) => container.name).join(' ');
  return refuse('Initialized', 'ContainersNotInitialized', `containers with incomplete status: [${names}]`);
};

const hasEnded = (status: ContainerStatus): boolean =>
  status.state?.terminated !== undefined || status.lastState?.terminated !== undefined;

const containersReady = (pod: Pod, { phase, init, main }: ConditionSources): Verdict => {
  if (phase === 'Succeeded') return refuse('ContainersReady', 'PodCompleted');
  if (phase === 'Failed') return refuse('ContainersReady', 'PodFailed');
  const sidecars = (pod.spec.initContainers ?? []).filter(isSidecar).map((container) => container.name);
  const counted = [...init.filter((status) => sidecars.includes(status.name)), ...main];
  const unready = counted.filter((status) => !status.ready).map((status) => status.name);
  if (unready.length === 0) return verdict('ContainersReady', true);
  return refuse('ContainersReady', 'ContainersNotReady', `containers with unready status: [${unready.join(' ')}]`);
};

const podReady = (pod: Pod, containers: Verdict): Verdict => {
  if (containers.status !== 'True') return { ...containers, type: 'Ready' };
  const missing = (pod.spec.readinessGates ?? []).flatMap((gate) => {
    const condition = pod.status?.conditions?.find((candidate) => candidate.type === gate.conditionType);
    if (condition === undefined) {
      return [`corresponding condition of pod readiness gate "${gate.conditionType}" does not exist.`];
    }
    if (condition.status === 'True') return [];
    return [`the status of pod readiness gate "${gate.conditionType}" is not "True", but ${condition.status}`];
  });
  if (missing.length === 0) return verdict('Ready', true);
  return refuse('Ready', 'ReadinessGatesNotReady', missing.join(', '));
};

/** Adds since when: a condition keeps its time while its status is the same, whatever its reason says. */
export const sinceWhen = (
  verdicts: readonly Verdict[],
  previous: readonly PodCondition[] | undefined,
  at: { readonly nowMs: number; readonly observedGeneration: number | undefined },
): readonly PodCondition[] =>
  verdicts.map((now) => {
    const before = previous?.find((condition) => condition.type === now.type);
    const since = before?.status === now.status ? before.lastTransitionTime : undefined;
    return {
      ...now,
      ...(at.observedGeneration === undefined ? {} : { observedGeneration: at.observedGeneration }),
      lastTransitionTime: since ?? timestamp(at.nowMs),
    };
  });
