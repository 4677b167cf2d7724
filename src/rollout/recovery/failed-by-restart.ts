import type { ContainerStatus, Pod } from '../../objects/index.ts';

/** The kubelet writes whole seconds, and a liveness kill and the new start share one sync. */
const slackMs = 3_000;

/**
 * Whether a Pod has failed by restarting: it is not Ready, and a regular or sidecar container either is not running
 * after having run, or was restarted after readiness was lost (or never came). A Ready Pod has not, nor one that lost
 * readiness by its probe alone, however often it restarted before.
 */
export const failedByRestart = (pod: Pod): string | undefined => {
  const ready = pod.status?.conditions?.find((condition) => condition.type === 'Ready');
  if (ready?.status === 'True') return undefined;
  const sidecars = new Set(
    (pod.spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const statuses = [
    ...(pod.status?.containerStatuses ?? []),
    ...(pod.status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ];
  const lostAt = ready?.lastTransitionTime === undefined ? Number.NaN : Date.parse(ready.lastTransitionTime);
  return statuses.map((status) => restartProblem(status, lostAt)).find((problem) => problem !== undefined);
};

const restartProblem = (status: ContainerStatus, readyLostAt: number): string | undefined => {
  const { state, lastState, name } = status;
  if (state?.terminated !== undefined) {
    return `container ${name} exited with ${state.terminated.exitCode} (${state.terminated.reason ?? 'no reason'})`;
  }
  if (state?.waiting !== undefined && lastState?.terminated !== undefined) {
    return `container ${name} waits (${state.waiting.reason ?? 'no reason'}) after exit ${lastState.terminated.exitCode}`;
  }
  if (state?.running !== undefined && status.restartCount > 0) {
    const startedAt = Date.parse(state.running.startedAt ?? '');
    if (startedAt >= readyLostAt - slackMs) return `container ${name} restarted ${status.restartCount} times`;
  }
  return undefined;
};
