import { fraction, type Random } from '../platform/index.ts';

export interface BackOffOptions {
  readonly baseMs: number;
  readonly factor: number;
  readonly capMs: number;
}

/** The bound of the wait before attempt `failures` + 1, milliseconds: base, base * factor, … up to the cap. */
export const backOffBoundMs = (options: BackOffOptions, failures: number): number =>
  Math.min(options.capMs, options.baseMs * options.factor ** failures);

/**
 * A wait with full jitter: uniformly from 0 to the bound. Many clients that failed at the same moment come back spread
 * over the whole interval, which empties a thundering herd faster than a jitter around the bound.
 */
export const jitteredBackOffMs = (options: BackOffOptions, failures: number, random: Random): number =>
  fraction(random) * backOffBoundMs(options, failures);
