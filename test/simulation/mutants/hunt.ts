import { seePod } from '../../../src/rollout/index.ts';
import { drawPlan, runPlan } from '../../../src/simulation/index.ts';
import type { Mutant } from './mutant.ts';

/** What became of a mutant. */
export interface Hunt {
  readonly mutant: Mutant;
  /** Which rule caught it; undefined where it survived. */
  readonly caughtBy: string | undefined;
  readonly finding: string | undefined;
  /** Seeds it took, the one that caught it included. */
  readonly seeds: number;
}

/** Runs a mutant through seed after seed until a rule breaks. */
export const hunt = async (
  mutant: Mutant,
  limits: { readonly firstSeed: number; readonly seeds: number },
): Promise<Hunt> => {
  for (let tried = 0; tried < limits.seeds; tried += 1) {
    const { violation } = await runPlan(drawPlan(limits.firstSeed + tried), {
      logic: { decide: mutant.decide, seePod },
    });
    if (violation !== undefined) {
      return { mutant, caughtBy: violation.id, finding: violation.finding, seeds: tried + 1 };
    }
  }
  return { mutant, caughtBy: undefined, finding: undefined, seeds: limits.seeds };
};
