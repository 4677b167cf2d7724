import { type Container, type Pod, uidOf } from '../../objects/index.ts';
import type { Cancel } from '../../platform/index.ts';
import type { NodeParts } from './node-parts.ts';
import { isRunning, newestOf, type PodRecord } from './records.ts';
import { isSidecar } from './restart-policy.ts';

export interface KillRequest {
  readonly pod: Pod;
  readonly container: Container;
  readonly id: string;
  readonly message: string;
}

/** After a preStop hook a container has at least this long to obey TERM (`minimumGracePeriodInSeconds`). */
const leastGraceMs = 2_000;

/**
 * Stops one container: preStop hook, TERM, and KILL at the end of the grace period, which the hook uses up too. A hook
 * that sleeps takes its time; other hooks take none. A container that is stopped stays so when the worker gives up
 * waiting for it.
 */
export const killContainer = (parts: NodeParts, request: KillRequest, done: () => void): Cancel => {
  const { pod, container, id } = request;
  parts.events.record(pod, {
    type: 'Normal',
    reason: 'Killing',
    message: request.message,
    fieldPath: fieldPathOf(pod, container),
  });
  const graceMs = graceSecondsOf(pod) * 1000;
  const hookMs = Math.min((container.lifecycle?.preStop?.sleep?.seconds ?? 0) * 1000, graceMs);
  const stop = (): void =>
    parts.runtime.stop(uidOf(pod), id, Math.max(graceMs - hookMs, hookMs > 0 ? leastGraceMs : 0), done);
  if (hookMs > 0) return parts.timers.after(hookMs, stop);
  stop();
  return () => undefined;
};

/** Stops all that runs: the main containers at the same time, then the sidecars, the last one first. */
export const killPod = (parts: NodeParts, pod: Pod, record: PodRecord, done: () => void): Cancel => {
  const running = (containers: readonly Container[]): readonly KillRequest[] =>
    containers.flatMap((container) => {
      const newest = newestOf(record, container.name);
      const message = `Stopping container ${container.name}`;
      return isRunning(newest) ? [{ pod, container, id: newest.id, message }] : [];
    });
  const init = pod.spec.initContainers ?? [];
  const sidecars = running(init.filter(isSidecar).toReversed()).map((request) => [request]);
  const waves = [running([...pod.spec.containers, ...init.filter((container) => !isSidecar(container))]), ...sidecars];
  let cancels: readonly Cancel[] = [];
  const next = (left: readonly (readonly KillRequest[])[]): void => {
    const [wave, ...rest] = left;
    let open = wave?.length ?? 0;
    if (wave === undefined) done();
    else if (open === 0) next(rest);
    else
      cancels = wave.map((request) =>
        killContainer(parts, request, () => {
          open--;
          if (open === 0) next(rest);
        }),
      );
  };
  next(waves);
  return () => {
    for (const cancel of cancels) cancel();
  };
};

/** Seconds. A deletion brings its own. */
const graceSecondsOf = (pod: Pod): number =>
  pod.metadata.deletionGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30;

/** Where a container stands in its Pod, as events about it say. */
export const fieldPathOf = (pod: Pod, container: Container): string => {
  const isInit = pod.spec.initContainers?.some((init) => init.name === container.name) === true;
  return `spec.${isInit ? 'initContainers' : 'containers'}{${container.name}}`;
};
