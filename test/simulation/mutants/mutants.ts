import type { Mutant } from './mutant.ts';
import { recovery, scaling } from './of-recovery.ts';
import { budgetAndOrder, completion } from './of-rollouts.ts';
import { status } from './of-status.ts';
import { writes } from './of-writes.ts';

/** Deliberately wrong operators; each must break a rule within a few runs. */
export const mutants: readonly Mutant[] = [
  ...budgetAndOrder,
  ...completion,
  ...writes,
  ...recovery,
  ...scaling,
  ...status,
];
