import type { Container, Pod } from '../../objects/index.ts';
import { type ContainerRecord, isRunning, newestOf, type PodRecord } from './records.ts';
import { isSidecar, restartsAfterExit, restartsOnFailure } from './restart-policy.ts';

/** One thing the worker does, one after the other, while newer specs and statuses wait. */
export type SyncStep =
  | { readonly do: 'create-sandbox' }
  | { readonly do: 'kill'; readonly container: Container; readonly id: string; readonly message: string }
  | { readonly do: 'start'; readonly container: Container; readonly role: ContainerRole }
  /** Nothing is left to run: whatever still runs is killed and the Pod is over. */
  | { readonly do: 'kill-pod' };

export type ContainerRole = 'init' | 'sidecar' | 'main';

/** What the probes say about one container, by its ID. */
export interface ProbeVerdicts {
  /** The startup probe has passed, or there is none. Of a running container. */
  started(container: Container, id: string): boolean;
  /** Which probe has failed so often that the container must be killed. */
  failed(container: Container, id: string): 'liveness' | 'startup' | undefined;
}

/**
 * What one sync does about the Pod: the kubelet's `computePodActions`.
 *
 * @param record  the runtime as the last relist saw it, not as it is now
 * @returns       steps in the order in which they are done: kills first, then starts
 *
 * A running container is replaced when its image is spelt differently from the one it was made from, whatever the
 * restart policy (kubelet hashes only name and image since 1.31); one that has ended follows the policy.
 */
export const planSync = (pod: Pod, record: PodRecord, probes: ProbeVerdicts): readonly SyncStep[] => {
  const restartsSandbox = record.sandbox?.ready !== true;
  if (restartsSandbox) return planFreshSandbox(pod, record);
  const init = planInit(pod, record, probes);
  if (init.verdict === 'failed') return [{ do: 'kill-pod' }];
  if (init.verdict === 'under-way') return inOrder(init.steps);
  const main = pod.spec.containers.map((container) => planMain(pod, container, record, probes));
  const steps = main.flatMap((plan) => plan.steps);
  if (steps.length === 0 && !main.some((plan) => plan.keeps)) return [{ do: 'kill-pod' }];
  return inOrder([...init.steps, ...steps]);
};

const inOrder = (steps: readonly SyncStep[]): readonly SyncStep[] => [
  ...steps.filter((step) => step.do === 'kill'),
  ...steps.filter((step) => step.do !== 'kill'),
];

/** Without a ready sandbox everything starts anew, but for containers that have ended for good. */
const planFreshSandbox = (pod: Pod, record: PodRecord): readonly SyncStep[] => {
  const hadSandbox = record.sandbox !== undefined;
  const wanted = pod.spec.containers.filter((container) => {
    const newest = newestOf(record, container.name);
    if (newest === undefined) return true;
    if (newest.run.state === 'exited') return restartsAfterExit(pod, container, newest.run.exitCode);
    return restartsOnFailure(pod, container);
  });
  if (hadSandbox && wanted.length === 0) return [{ do: 'kill-pod' }];
  const [firstInit] = pod.spec.initContainers ?? [];
  const starts: SyncStep[] =
    firstInit === undefined
      ? wanted.map((container) => ({ do: 'start', container, role: 'main' }))
      : [{ do: 'start', container: firstInit, role: isSidecar(firstInit) ? 'sidecar' : 'init' }];
  return [{ do: 'create-sandbox' }, ...starts];
};

interface InitPlan {
  readonly verdict: 'done' | 'under-way' | 'failed';
  readonly steps: readonly SyncStep[];
}

/** Init containers run one after the other, each once; sidecars among them are kept running from their turn on. */
const planInit = (pod: Pod, record: PodRecord, probes: ProbeVerdicts): InitPlan => {
  const initialized = pod.spec.containers.some((container) => newestOf(record, container.name) !== undefined);
  const steps: SyncStep[] = [];
  for (const container of pod.spec.initContainers ?? []) {
    const newest = newestOf(record, container.name);
    if (isSidecar(container)) {
      steps.push(...planSidecar(container, newest, probes));
      const up = isRunning(newest) && probes.started(container, newest.id);
      if (!initialized && !up) return { verdict: 'under-way', steps };
    } else if (!initialized) {
      if (newest === undefined) {
        return { verdict: 'under-way', steps: [...steps, { do: 'start', container, role: 'init' }] };
      }
      if (newest.run.state === 'running') return { verdict: 'under-way', steps };
      if (newest.run.exitCode !== 0) {
        if (!restartsAfterExit(pod, container, newest.run.exitCode)) return { verdict: 'failed', steps: [] };
        return { verdict: 'under-way', steps: [...steps, { do: 'start', container, role: 'init' }] };
      }
    }
  }
  return { verdict: 'done', steps };
};

const planSidecar = (
  container: Container,
  newest: ContainerRecord | undefined,
  probes: ProbeVerdicts,
): readonly SyncStep[] => {
  const start: SyncStep = { do: 'start', container, role: 'sidecar' };
  if (!isRunning(newest)) return [start];
  const why = reasonToReplace(container, newest, probes);
  return why === undefined ? [] : [kill(container, newest.id, `${why}, will be restarted`), start];
};

const planMain = (
  pod: Pod,
  container: Container,
  record: PodRecord,
  probes: ProbeVerdicts,
): { readonly keeps: boolean; readonly steps: readonly SyncStep[] } => {
  const newest = newestOf(record, container.name);
  const start: SyncStep = { do: 'start', container, role: 'main' };
  if (newest === undefined) return { keeps: false, steps: [start] };
  if (newest.run.state === 'exited') {
    return { keeps: false, steps: restartsAfterExit(pod, container, newest.run.exitCode) ? [start] : [] };
  }
  const why = reasonToReplace(container, newest, probes);
  if (why === undefined) return { keeps: true, steps: [] };
  const restarts = isChanged(container, newest) || restartsOnFailure(pod, container);
  if (!restarts) return { keeps: false, steps: [kill(container, newest.id, why)] };
  return { keeps: false, steps: [kill(container, newest.id, `${why}, will be restarted`), start] };
};

const kill = (container: Container, id: string, message: string): SyncStep => ({ do: 'kill', container, id, message });

const isChanged = (container: Container, running: ContainerRecord): boolean => running.image !== container.image;

const reasonToReplace = (container: Container, running: ContainerRecord, probes: ProbeVerdicts): string | undefined => {
  if (isChanged(container, running)) return `Container ${container.name} definition changed`;
  const probe = probes.failed(container, running.id);
  return probe === undefined ? undefined : `Container ${container.name} failed ${probe} probe`;
};
