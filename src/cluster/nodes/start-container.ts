import { type Container, type Pod, uidOf } from '../../objects/index.ts';
import type { Cancel } from '../../platform/index.ts';
import { goSeconds } from './back-off.ts';
import type { StartProblem } from './container-status.ts';
import { podInMessages } from './image-puller.ts';
import { fieldPathOf } from './kill-container.ts';
import type { NodeParts } from './node-parts.ts';
import { newestOf, type PodRecord } from './records.ts';
import type { ContainerRole } from './sync-plan.ts';

export interface StartRequest {
  readonly pod: Pod;
  readonly container: Container;
  readonly role: ContainerRole;
  /** The runtime as the sync saw it at its beginning. */
  readonly record: PodRecord;
}

const createMs = 50;

/**
 * Starts one container: crash back-off, image, create, start. Only now is the image pulled, so a bad image costs the
 * container that ran before. A start that fails makes no container: restartCount and containerID stay.
 */
export const startContainer = (
  parts: NodeParts,
  request: StartRequest,
  done: (problem: StartProblem | undefined) => void,
): Cancel => {
  const { pod, container } = request;
  const crashLoop = crashBackOff(parts, request);
  if (crashLoop !== undefined) {
    done(crashLoop);
    return () => undefined;
  }
  let cancelCreate: Cancel = () => undefined;
  const cancelPull = parts.puller.ensure(pod, container, (problem) => {
    if (problem !== undefined) return done(problem);
    cancelCreate = parts.timers.after(createMs, () => {
      create(parts, request);
      done(undefined);
    });
  });
  return () => {
    cancelPull();
    cancelCreate();
  };
};

/** The first restart of a container is free; each one that follows waits twice as long as the one before. */
const crashBackOff = (parts: NodeParts, { pod, container, record }: StartRequest): StartProblem | undefined => {
  const newest = newestOf(record, container.name);
  if (newest?.run.state !== 'exited') return undefined;
  const key = `${uidOf(pod)}_${container.name}_${container.image}`;
  const { finishedAtMs } = newest.run;
  const nowMs = parts.clock.wall();
  if (!parts.crashes.holdsSince(key, finishedAtMs, nowMs)) {
    parts.crashes.next(key, finishedAtMs, nowMs);
    return undefined;
  }
  const inPod = podInMessages(pod);
  parts.events.record(pod, {
    type: 'Warning',
    reason: 'BackOff',
    message: `Back-off restarting failed container ${container.name} in pod ${inPod}`,
    fieldPath: fieldPathOf(pod, container),
  });
  const delay = goSeconds(parts.crashes.delayOf(key));
  return {
    reason: 'CrashLoopBackOff',
    message: `back-off ${delay} restarting failed container=${container.name} pod=${inPod}`,
  };
};

const create = (parts: NodeParts, { pod, container, role, record }: StartRequest): void => {
  const image = container.image ?? '';
  const before = newestOf(record, container.name);
  const fieldPath = fieldPathOf(pod, container);
  parts.runtime.start(uidOf(pod), {
    name: container.name,
    image,
    content: parts.images.contentOf(image) ?? parts.catalogue.contentOf(image),
    restarts: before === undefined ? 0 : before.restarts + 1,
    behaviour: parts.catalogue.behaviourOf(image),
    endsByItself: role === 'init',
  });
  parts.events.record(pod, {
    type: 'Normal',
    reason: 'Created',
    message: `Created container: ${container.name}`,
    fieldPath,
  });
  parts.events.record(pod, {
    type: 'Normal',
    reason: 'Started',
    message: `Started container ${container.name}`,
    fieldPath,
  });
};
