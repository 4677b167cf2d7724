import {
  type Container,
  defaultPullPolicy,
  nameOf,
  type Pod,
  parseImageReference,
  uidOf,
} from '../../objects/index.ts';
import type { Cancel, Clock, Timers } from '../../platform/index.ts';
import type { BackOff } from './back-off.ts';
import type { StartProblem } from './container-status.ts';
import type { EventNote } from './event-recorder.ts';
import type { ImageCatalogue, ImageStore } from './image-store.ts';

export interface PullerOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly catalogue: ImageCatalogue;
  readonly store: ImageStore;
  readonly backOff: BackOff;
  note(pod: Pod, container: Container, note: EventNote): void;
}

/** Sees to it that a container's image is on the node (`EnsureImageExists`). */
export interface ImagePuller {
  /** Calls `done` once, at once or later, with what went wrong if something did. The returned function aborts. */
  ensure(pod: Pod, container: Container, done: (problem: StartProblem | undefined) => void): Cancel;
}

const firstPullMs = 200;
/** What it takes to learn from the registry that an image is here already. */
const checkMs = 20;

export const createImagePuller = (options: PullerOptions): ImagePuller => {
  const { clock, timers, catalogue, store, backOff } = options;

  const pull = (pod: Pod, container: Container, done: (problem: StartProblem | undefined) => void): Cancel => {
    const image = container.image ?? '';
    const note = (type: EventNote['type'], reason: string, message: string): void =>
      options.note(pod, container, { type, reason, message });
    const key = `${uidOf(pod)}_${image}`;
    const { pullError, pullMs = firstPullMs } = catalogue.behaviourOf(image);
    if (backOff.holds(key, clock.monotonic())) {
      const message = `Back-off pulling image "${image}"`;
      note('Normal', 'BackOff', message);
      note('Warning', 'Failed', 'Error: ImagePullBackOff');
      return finish(done, { reason: 'ImagePullBackOff', message: lastErrorAfter(message, pullError) });
    }
    note('Normal', 'Pulling', `Pulling image "${image}"`);
    const here = store.has(image) && store.contentOf(image) === catalogue.contentOf(image);
    const takesMs = here ? Math.min(checkMs, pullMs) : pullMs;
    return timers.after(takesMs, () => {
      const failure = catalogue.behaviourOf(image).pullError;
      if (failure === undefined) {
        store.pulled(image);
        const took = `${takesMs}ms`;
        note('Normal', 'Pulled', `Successfully pulled image "${image}" in ${took} (${took} including waiting).`);
        return done(undefined);
      }
      backOff.next(key, clock.monotonic(), clock.monotonic());
      note('Warning', 'Failed', `Failed to pull image "${image}": ${failure}`);
      note('Warning', 'Failed', 'Error: ErrImagePull');
      done({ reason: 'ErrImagePull', message: failure });
    });
  };

  return {
    ensure: (pod, container, done) => {
      const image = container.image ?? '';
      const note = (type: EventNote['type'], reason: string, message: string): void =>
        options.note(pod, container, { type, reason, message });
      if (parseImageReference(image) === undefined) {
        const message = `Failed to apply default image tag "${image}": couldn't parse image name "${image}": invalid reference format`;
        note('Warning', 'InspectFailed', message);
        note('Warning', 'Failed', 'Error: InvalidImageName');
        return finish(done, { reason: 'InvalidImageName', message });
      }
      const policy = container.imagePullPolicy ?? defaultPullPolicy(image);
      const here = store.has(image);
      if (here && policy !== 'Always') {
        note('Normal', 'Pulled', `Container image "${image}" already present on machine`);
        return finish(done, undefined);
      }
      if (policy !== 'Never') return pull(pod, container, done);
      const message = `Container image "${image}" is not present with pull policy of Never`;
      note('Warning', 'ErrImageNeverPull', message);
      note('Warning', 'Failed', 'Error: ErrImageNeverPull');
      return finish(done, { reason: 'ErrImageNeverPull', message });
    },
  };
};

const finish = (done: (problem: StartProblem | undefined) => void, problem: StartProblem | undefined): Cancel => {
  done(problem);
  return () => undefined;
};

const lastErrorAfter = (message: string, error: string | undefined): string =>
  error === undefined ? message : `${message}: ErrImagePull: ${error}`;

/** `namespace_name(uid)`, as kubelet messages spell a Pod. */
export const podInMessages = (pod: Pod): string => `${nameOf(pod)}_${pod.metadata.namespace}(${uidOf(pod)})`;
