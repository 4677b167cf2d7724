import type { KubeObject } from '../objects/index.ts';
import type { Cancel, Platform } from '../platform/index.ts';
import type { KubeClient } from './client-types.ts';
import type { ApiError } from './errors.ts';
import { followStream } from './follow-stream.ts';
import type { Log } from './log.ts';
import { readPages } from './read-pages.ts';
import { initialMemory, nextStep, type Outcome, type ReflectorMemory, type ReflectorState } from './reflector-state.ts';
import type { Resource } from './resource.ts';

/** Which objects are followed. */
export interface Selection {
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** Where a reflector puts what it learns; called in order, never at the same time. */
export interface ReflectorTarget<T extends KubeObject> {
  /** A list is asked for; the number comes back with its result. */
  listBegan(): number;
  replace(items: readonly T[], resourceVersion: string, mark: number): void;
  apply(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void;
  progress(resourceVersion: string): void;
}

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  readonly selection: Selection;
  readonly platform: Platform;
  readonly log: Log;
  readonly target: ReflectorTarget<T>;
  /** Called on every change of state. */
  readonly onState?: ((state: ReflectorState) => void) | undefined;
}

export interface Reflector {
  start(): void;
  /** Ends what is under way; the target is not called any more. */
  stop(): void;
  /** Lists now instead of waiting for the watch to tell. Does nothing unless it is watching. */
  relist(): void;
  state(): ReflectorState['state'];
}

/** One attempt to list or to watch. After a cancel its outcome never comes. */
export interface Attempt {
  readonly outcome: Promise<Outcome>;
  readonly cancel: Cancel;
}

/** Keeps a target equal to what the server has: `nextStep` decides, this runs what it decided. */
export const createReflector = <T extends KubeObject>(options: ReflectorOptions<T>): Reflector => {
  const { platform, log } = options;
  const resource = options.resource.plural;
  let state: ReflectorState = { state: 'stopped' };
  let memory: ReflectorMemory = initialMemory;
  let cancel: Cancel = () => undefined;

  const note = (next: ReflectorState): void => {
    state = next;
    options.onState?.(next);
  };

  // The same stream goes on: a change of state without a new attempt.
  const onListed = (resourceVersion: string): void => note({ state: 'watching', resourceVersion });

  const enter = (next: ReflectorState): void => {
    note(next);
    switch (next.state) {
      case 'listing':
        run(next.how === 'stream' ? followStream(options, { onListed }) : readPages(options));
        break;
      case 'watching':
        run(followStream(options, { from: next.resourceVersion }));
        break;
      case 'waiting':
        cancel = platform.timers.after(next.delayMs, () => enter(next.next));
        break;
      case 'stopped':
        break;
    }
  };

  const run = (attempt: Attempt): void => {
    cancel = attempt.cancel;
    void attempt.outcome.then((outcome) => {
      if (cancel === attempt.cancel) report(outcome);
    });
  };

  const report = (outcome: Outcome): void => {
    const step = nextStep(outcome, memory, platform.random);
    if (outcome.kind === 'ended') say(outcome.error, step.state);
    memory = step.memory;
    enter(step.state);
  };

  const say = (error: ApiError | undefined, next: ReflectorState): void => {
    const fields = { resource, next: next.state, failures: memory.failures, err: error };
    if (error === undefined || error.code === 'gone') log.debug(fields, `a watch of ${resource} ended`);
    else log.warn(fields, `cannot follow ${resource}: ${error.message}`);
  };

  const list = (): void => enter({ state: 'listing', how: memory.pagesOnly ? 'pages' : 'stream' });

  const abandon = (): void => {
    const end = cancel;
    cancel = () => undefined;
    end();
  };

  return {
    start: () => {
      if (state.state === 'stopped') list();
    },
    stop: () => {
      abandon();
      enter({ state: 'stopped' });
    },
    relist: () => {
      if (state.state !== 'watching') return;
      abandon();
      list();
    },
    state: () => state.state,
  };
};
