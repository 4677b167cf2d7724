import { isApiError } from '../../kube/index.ts';
import type { Act } from '../plan/plan.ts';
import type { World } from '../world.ts';
import type { Judge } from './judge.ts';

/** No request of a person takes longer. */
const requestMs = 60_000;

/** Lets the world go on, judging after every step. */
export interface Driver {
  advance(ms: number): Promise<void>;
  /** Resolves to whether it came true within that time. */
  until(predicate: () => boolean, timeoutMs: number): Promise<boolean>;
  /** Runs until the promise settles; a refusal of the API server is a normal end. */
  settle(work: Promise<unknown>): Promise<void>;
  /** Called after every step of the machine. */
  onStep(run: () => void): void;
}

export const createDriver = ({ machine }: World, judge: Judge): Driver => {
  const each: (() => void)[] = [];
  const until: Driver['until'] = async (predicate, timeoutMs) => {
    let isLate = false;
    const cancel = machine.timers.after(timeoutMs, () => {
      isLate = true;
    });
    let isTrue = false;
    await machine.runUntil(
      () => {
        judge.check();
        for (const run of each) run();
        isTrue = predicate();
        return isTrue || isLate;
      },
      { timeoutMs: timeoutMs + 1 },
    );
    cancel();
    return isTrue;
  };
  return {
    until,
    advance: async (ms) => {
      await until(() => false, ms);
    },
    settle: async (work) => {
      let isSettled = false;
      let failure: unknown;
      work.then(
        () => {
          isSettled = true;
        },
        (error: unknown) => {
          isSettled = true;
          failure = error;
        },
      );
      await until(() => isSettled, requestMs);
      if (failure !== undefined && !isOvertaken(failure)) throw failure;
    },
    onStep: (run) => {
      each.push(run);
    },
  };
};

/** What a person meets who is not alone: the object is gone, or somebody was faster. */
const isOvertaken = (error: unknown): boolean =>
  isApiError(error, 'not-found') || isApiError(error, 'conflict') || isApiError(error, 'already-exists');

/** One run, while it lasts. */
export interface Play {
  readonly world: World;
  readonly judge: Judge;
  readonly driver: Driver;
  readonly onAct: ((act: Act) => void) | undefined;
}
