import type { WriteMoment } from '../link.ts';
import type { Plan } from '../plan/plan.ts';
import { type RunResult, runPlan } from './run-plan.ts';
import { Violation } from './violation.ts';

export interface CrashPoints {
  /** How many runs there were: three for every own write of the undisturbed run. */
  readonly runs: number;
  /** The first run that broke a rule or ended elsewhere; undefined where none did. */
  readonly failed: RunResult | undefined;
}

const moments: readonly WriteMoment[] = ['before-send', 'after-commit', 'after-reply'];

/**
 * Runs a plan once for every point at which its operator can die: before each of its writes is sent, after its commit,
 * after its reply. Every run must keep all rules and end as the undisturbed one does.
 */
export const runCrashPoints = async (plan: Plan, onRun: () => void = () => undefined): Promise<CrashPoints> => {
  const undisturbed = await runPlan(plan);
  if (undisturbed.violation !== undefined) return { runs: 1, failed: undisturbed };
  let runs = 1;
  for (let write = 1; write <= undisturbed.ownWrites; write += 1) {
    for (const moment of moments) {
      const crash = { at: 0, act: { kind: 'crash', write, moment, downMs: 0 } } as const;
      const result = await runPlan({ ...plan, steps: [crash, ...plan.steps] });
      runs += 1;
      onRun();
      const failed = result.violation === undefined ? unequal(result, undisturbed) : result;
      if (failed !== undefined) return { runs, failed };
    }
  }
  return { runs, failed: undefined };
};

const unequal = (result: RunResult, undisturbed: RunResult): RunResult | undefined => {
  if (result.endState === undisturbed.endState) return undefined;
  const violation = new Violation({
    id: 'I30',
    rule: 'Wherever the operator dies, the end is that of the run in which it does not.',
    finding: `it ends as\n${result.endState}\nand without the crash as\n${undisturbed.endState}`,
    atMs: result.virtualMs,
    slice: [],
  });
  return { ...result, violation };
};
