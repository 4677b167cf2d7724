import { seePod } from '../../../src/rollout/index.ts';
import { drawPlan, runPlan } from '../../../src/simulation/index.ts';
import type { Mutant } from './mutant.ts';

/** What became of a mutant. */
export interface Hunt {
  readonly mutant: Mutant;
  /** Which rule caught it; undefined where it survived. */
  readonly caughtBy: string | undefined;
  readonly seed: number | undefined;
  /** Runs it took, the one that caught it included. */
  readonly runs: number;
}

/** Runs a mutant through plan after plan in which it can go wrong, until a rule breaks. */
export const hunt = async (
  mutant: Mutant,
  limits: { readonly firstSeed: number; readonly runs: number },
): Promise<Hunt> => {
  const { decide, habitat = () => true } = mutant;
  let runs = 0;
  for (let seed = limits.firstSeed; runs < limits.runs; seed += 1) {
    const plan = drawPlan(seed);
    if (!habitat(plan)) continue;
    runs += 1;
    const { violation } = await runPlan(plan, { logic: { decide, seePod } });
    if (violation !== undefined) return { mutant, caughtBy: violation.id, seed, runs };
  }
  return { mutant, caughtBy: undefined, seed: undefined, runs };
};
