import type { ContainerStatus, Pod, PodStatus } from '../../objects/index.ts';
import { isSidecar } from './restart-policy.ts';

type Phase = NonNullable<PodStatus['phase']>;

/**
 * The kubelet's `getPhase`.
 *
 * @param over  nothing of the Pod runs any more and nothing will (it is being deleted, or was killed for good); only
 *              then does a Pod that always restarts end as Succeeded or Failed (since 1.27)
 *
 * A container that waits to be started again counts as stopped, not as waiting: a Pod in ImagePullBackOff or
 * CrashLoopBackOff stays Running.
 */
export const phaseOf = (
  pod: Pod,
  statuses: { readonly init: readonly ContainerStatus[]; readonly main: readonly ContainerStatus[] },
  over: boolean,
): Phase => {
  const counts = { running: 0, waiting: 0, stopped: 0, succeeded: 0 };
  for (const { state, lastState } of statuses.main) {
    if (state?.running !== undefined) counts.running++;
    else if (state?.terminated !== undefined) {
      counts.stopped++;
      if (state.terminated.exitCode === 0) counts.succeeded++;
    } else if (lastState?.terminated !== undefined) counts.stopped++;
    else counts.waiting++;
  }
  const started = counts.running + counts.stopped > 0;
  // A sidecar that runs keeps the Pod Running until it has been stopped; one that ended counts for nothing.
  const sidecars = (pod.spec.initContainers ?? []).filter(isSidecar).map((container) => container.name);
  for (const { name, state } of statuses.init) {
    if (sidecars.includes(name) && state?.running !== undefined) counts.running++;
  }
  const init = initProgress(pod, statuses.init);
  if (init === 'failed' && pod.spec.restartPolicy === 'Never') return 'Failed';
  if (over) return started && counts.waiting === 0 && counts.stopped === counts.succeeded ? 'Succeeded' : 'Failed';
  if ((init !== 'done' && !started) || counts.waiting > 0) return 'Pending';
  if (counts.running > 0) return 'Running';
  if ((pod.spec.restartPolicy ?? 'Always') === 'Always') return 'Running';
  if (counts.stopped === counts.succeeded) return 'Succeeded';
  return pod.spec.restartPolicy === 'Never' ? 'Failed' : 'Running';
};

/** Whether every init container has done its part: an ordinary one has ended well, a sidecar has started. */
export const initProgress = (pod: Pod, statuses: readonly ContainerStatus[]): 'done' | 'pending' | 'failed' => {
  for (const container of pod.spec.initContainers ?? []) {
    const status = statuses.find((candidate) => candidate.name === container.name);
    if (isSidecar(container)) {
      if (status?.started !== true) return 'pending';
    } else {
      const end = status?.state?.terminated ?? status?.lastState?.terminated;
      if (end !== undefined && end.exitCode !== 0 && status?.state?.running === undefined) return 'failed';
      if (status?.state?.terminated?.exitCode !== 0) return 'pending';
    }
  }
  return 'done';
};
