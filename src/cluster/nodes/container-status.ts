import type { Container, ContainerState, ContainerStatus, Pod } from '../../objects/index.ts';
import { type ContainerRecord, newestOf, type PodRecord } from './records.ts';
import { isSidecar, restartsAfterExit } from './restart-policy.ts';
import { timestamp } from './timestamp.ts';

/** Why the last attempt to start a container came to nothing (`ErrImagePull`, `CrashLoopBackOff`, …). */
export interface StartProblem {
  readonly reason: string;
  readonly message: string;
}

/** What a container's status is made of besides the runtime. */
export interface ContainerSources {
  readonly record: PodRecord;
  /** The status that was last published, of the API object's life so far. */
  readonly previous: ContainerStatus | undefined;
  /** Kept from the last sync that tried to start it, so a status may be one sync behind. */
  readonly problem: StartProblem | undefined;
  report(content: string): { readonly image: string; readonly imageID: string };
  isReady(container: Container, id: string): boolean;
  isStarted(container: Container, id: string): boolean;
}

/**
 * The status of one container as the kubelet words it (`convertToAPIContainerStatuses`).
 *
 * A container that ended and will be started again is Waiting with the reason of the last failed start, and what it
 * ended with moves to `lastState`. Without such a reason the ended state stands, as it does for an instant between
 * two syncs. One that the runtime no longer knows has empty IDs, the image of the spec, and one restart more.
 */
export const containerStatus = (pod: Pod, container: Container, from: ContainerSources): ContainerStatus => {
  const newest = newestOf(from.record, container.name);
  const base = newest === undefined ? lostStatus(pod, container, from) : knownStatus(container, newest, from);
  if (from.problem === undefined || !willBeStarted(pod, container, newest)) return base;
  return {
    ...base,
    ready: false,
    started: false,
    ...(base.state?.terminated === undefined ? {} : { lastState: base.state }),
    state: { waiting: { reason: from.problem.reason, message: from.problem.message } },
  };
};

const willBeStarted = (pod: Pod, container: Container, newest: ContainerRecord | undefined): boolean => {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  if (newest === undefined) return true;
  return newest.run.state === 'exited' && restartsAfterExit(pod, container, newest.run.exitCode);
};

const knownStatus = (container: Container, newest: ContainerRecord, from: ContainerSources): ContainerStatus => {
  const before = from.record.containers.find((other) => other.name === newest.name && other !== newest);
  const running = newest.run.state === 'running';
  const started = running && from.isStarted(container, newest.id);
  return {
    name: container.name,
    ...from.report(newest.content),
    containerID: newest.id,
    restartCount: newest.restarts,
    state: stateOf(newest),
    lastState: before === undefined ? {} : stateOf(before),
    ready: started && from.isReady(container, newest.id),
    started,
  };
};

const stateOf = (container: ContainerRecord): ContainerState => {
  const startedAt = timestamp(container.run.startedAtMs);
  if (container.run.state === 'running') return { running: { startedAt } };
  const { exitCode, reason, finishedAtMs } = container.run;
  return {
    terminated: { exitCode, reason, startedAt, finishedAt: timestamp(finishedAtMs), containerID: container.id },
  };
};

/** Of a container that the runtime does not know: never started, or vanished. */
const lostStatus = (pod: Pod, container: Container, from: ContainerSources): ContainerStatus => {
  const { previous } = from;
  // A finished container may be cleaned up by the runtime; its last status stands.
  if (previous?.state?.terminated !== undefined) return previous;
  const initializing = (pod.spec.initContainers ?? []).length > 0;
  const status: ContainerStatus = {
    name: container.name,
    image: container.image ?? '',
    imageID: '',
    restartCount: previous?.restartCount ?? 0,
    state: { waiting: { reason: initializing ? 'PodInitializing' : 'ContainerCreating' } },
    lastState: previous?.lastState ?? {},
    ready: false,
    started: false,
  };
  const vanished = previous?.state?.running !== undefined && !isInitContainer(pod, container);
  if (!vanished || pod.metadata.deletionTimestamp !== undefined) return status;
  if (status.lastState?.terminated !== undefined) return status;
  return { ...status, restartCount: status.restartCount + 1, lastState: { terminated: unknownEnd } };
};

const isInitContainer = (pod: Pod, container: Container): boolean =>
  (pod.spec.initContainers ?? []).some((init) => init.name === container.name && !isSidecar(init));

const unknownEnd = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was deleted.  The container used to be Running',
} as const;
