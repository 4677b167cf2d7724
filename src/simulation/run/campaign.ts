import type { Clock } from '../../platform/index.ts';
import { drawPlan } from '../plan/draw-plan.ts';
import type { ActKind } from '../plan/plan.ts';
import { type RunOptions, type RunResult, runPlan } from './run-plan.ts';

export interface CampaignOptions extends RunOptions {
  /** The first seed; the others follow it. */
  readonly firstSeed: number;
  /** Stop after so many runs. */
  readonly seeds?: number | undefined;
  /** Start no further run after so many milliseconds of real time. */
  readonly forMs?: number | undefined;
  readonly clock: Clock;
  /** Told after every run. */
  readonly onRun?: (tally: Tally) => void;
}

/** What a campaign has done so far. */
export interface Tally {
  readonly runs: number;
  readonly virtualMs: number;
  readonly realMs: number;
  /** All committed writes, and those of operators among them. */
  readonly writes: number;
  readonly ownWrites: number;
  readonly checks: number;
  /** The longest time from the end of all trouble until everything was as asked for. */
  readonly slowestMs: number;
  /** How often each kind of edit and fault happened. */
  readonly acts: ReadonlyMap<ActKind, number>;
}

/** Runs seed after seed until one breaks a rule or the limits are reached. */
export const runCampaign = async (
  options: CampaignOptions,
): Promise<{ readonly tally: Tally; readonly failed: RunResult | undefined }> => {
  const { firstSeed, seeds = Number.POSITIVE_INFINITY, forMs = Number.POSITIVE_INFINITY, clock } = options;
  const began = clock.monotonic();
  const acts = new Map<ActKind, number>();
  let tally: Tally = {
    runs: 0,
    virtualMs: 0,
    realMs: 0,
    writes: 0,
    ownWrites: 0,
    checks: 0,
    slowestMs: 0,
    acts,
  };
  while (tally.runs < seeds && tally.realMs < forMs) {
    const result = await runPlan(drawPlan(firstSeed + tally.runs), {
      ...options,
      onAct: (act) => {
        acts.set(act.kind, (acts.get(act.kind) ?? 0) + 1);
        options.onAct?.(act);
      },
    });
    tally = {
      runs: tally.runs + 1,
      virtualMs: tally.virtualMs + result.virtualMs,
      realMs: clock.monotonic() - began,
      writes: tally.writes + result.writes,
      ownWrites: tally.ownWrites + result.ownWrites,
      checks: tally.checks + result.checks,
      slowestMs: Math.max(tally.slowestMs, result.convergedMs ?? 0),
      acts,
    };
    options.onRun?.(tally);
    if (result.violation !== undefined) return { tally, failed: result };
  }
  return { tally, failed: undefined };
};
