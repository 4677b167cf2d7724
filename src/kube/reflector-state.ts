import type { Random } from '../platform/index.ts';
import { type BackOffOptions, jitteredBackOffMs } from './back-off.ts';
import type { ApiError } from './errors.ts';

/** Where a reflector stands. The names are the ones in logs and metrics. */
export type ReflectorState =
  /** What is there has to be read as a whole: as one stream (WatchList, Kubernetes 1.32 and newer) or page by page. */
  | { readonly state: 'listing'; readonly how: 'stream' | 'pages' }
  /** Everything up to this resourceVersion is known; changes after it are followed. */
  | { readonly state: 'watching'; readonly resourceVersion: string }
  /** Something failed; what comes next waits. */
  | { readonly state: 'waiting'; readonly delayMs: number; readonly next: ListingOrWatching }
  | { readonly state: 'stopped' };

type ListingOrWatching = Extract<ReflectorState, { readonly state: 'listing' | 'watching' }>;

/** How one attempt to list or watch went. */
export type Outcome =
  | { readonly kind: 'listed'; readonly resourceVersion: string }
  | {
      readonly kind: 'ended';
      /** How far everything is known; undefined where the attempt ended before the list was complete. */
      readonly resourceVersion: string | undefined;
      /** Absent for an end in good order. */
      readonly error?: ApiError | undefined;
      readonly livedMs: number;
      readonly events: number;
    };

/** What is remembered over attempts. */
export interface ReflectorMemory {
  /** Failures in a row. */
  readonly failures: number;
  /** The server does not know WatchList. */
  readonly pagesOnly: boolean;
}

export interface Step {
  readonly state: ListingOrWatching | Extract<ReflectorState, { readonly state: 'waiting' }>;
  readonly memory: ReflectorMemory;
}

/** client-go's reflector: 0.8 s doubled up to 30 s keeps a failing client below 0.22 requests a second. */
const backOff: BackOffOptions = { baseMs: 800, factor: 2, capMs: 30_000 };

/** A stream that lived as long as the longest wait has earned a fresh start: no more load than at the cap. */
const healthyMs = backOff.capMs;

/** A clean end sooner than this, with nothing told, is a failure of something on the way (client-go: "very short watch"). */
const shortestMs = 1000;

export const initialMemory: ReflectorMemory = { failures: 0, pagesOnly: false };

/** What to do after an attempt. Pure, but for the jitter of the wait. */
export const nextStep = (outcome: Outcome, memory: ReflectorMemory, random: Random): Step => {
  if (outcome.kind === 'listed') {
    return { state: { state: 'watching', resourceVersion: outcome.resourceVersion }, memory };
  }
  const rested = outcome.livedMs >= healthyMs ? { ...memory, failures: 0 } : memory;
  if (outcome.resourceVersion === undefined) return afterUnfinishedList(outcome, rested, random);
  const watching = { state: 'watching', resourceVersion: outcome.resourceVersion } as const;
  if (outcome.error === undefined) {
    const tooShort = outcome.livedMs < shortestMs && outcome.events === 0;
    return tooShort ? wait(watching, undefined, rested, random) : { state: watching, memory: rested };
  }
  const next = canResume(outcome.error) ? watching : listing(rested);
  // The first 410 after a healthy time is business as usual; a row of them is not.
  if (outcome.error.code === 'gone' && rested.failures === 0) {
    return { state: next, memory: { ...rested, failures: 1 } };
  }
  return wait(next, outcome.error, rested, random);
};

const listing = (memory: ReflectorMemory): ListingOrWatching => ({
  state: 'listing',
  how: memory.pagesOnly ? 'pages' : 'stream',
});

const wait = (next: ListingOrWatching, error: ApiError | undefined, memory: ReflectorMemory, random: Random): Step => {
  const delayMs = Math.max(jitteredBackOffMs(backOff, memory.failures, random), error?.retryAfterMs ?? 0);
  return { state: { state: 'waiting', delayMs, next }, memory: { ...memory, failures: memory.failures + 1 } };
};

const afterUnfinishedList = (
  outcome: Extract<Outcome, { readonly kind: 'ended' }>,
  memory: ReflectorMemory,
  random: Random,
): Step => {
  if (memory.pagesOnly) return wait(listing(memory), outcome.error, memory, random);
  if (outcome.error === undefined) {
    // Ended in good order without the end mark: something between us and the server does not know WatchList.
    const pagesOnly = { ...memory, pagesOnly: true };
    return wait(listing(pagesOnly), undefined, pagesOnly, random);
  }
  if (!refusesStreams(outcome.error)) return wait(listing(memory), outcome.error, memory, random);
  const pagesOnly = { ...memory, pagesOnly: true };
  return { state: listing(pagesOnly), memory: pagesOnly };
};

/** Servers without WatchList answer 422 (the parameter is forbidden) or 400; 401, 403 and 404 have other causes. */
const refusesStreams = (error: ApiError): boolean =>
  error.code === 'bad-request' || error.code === 'invalid' || error.status === 501;

/** Whether the watch can go on where it broke off. If in doubt, no: a list is always right. */
const canResume = (error: ApiError): boolean => {
  switch (error.code) {
    case 'unreachable':
    case 'unavailable':
    case 'internal':
    case 'too-many-requests':
      return true;
    case 'timeout':
      // 504 on a watch: the resourceVersion lies in the server's future (it was restored from a backup, or lags).
      return error.status === undefined;
    case 'gone':
    case 'malformed':
    case 'bad-request':
    case 'unauthorized':
    case 'forbidden':
    case 'not-found':
    case 'already-exists':
    case 'conflict':
    case 'invalid':
      return false;
  }
};
