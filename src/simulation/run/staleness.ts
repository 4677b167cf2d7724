import type { Act, Plan } from '../plan/plan.ts';

/** What the network takes when nothing is wrong, with the queue's own waits. */
const usualMs = 3_000;
/** After so long without a sign a watch counts as dead; a request that hangs is given up sooner. */
const silenceMs = 170_000;
const requestTimeoutMs = 65_000;

const addedBy = (act: Act): number => {
  switch (act.kind) {
    case 'lag-watches':
    case 'slow-request':
      return act.byMs;
    case 'freeze':
      return act.forMs;
    case 'stall-watches':
      return Math.min(act.forMs, silenceMs);
    case 'hang':
      return requestTimeoutMs;
    default:
      return 0;
  }
};

/** How old the view may be, at most, that a write of this run was decided on. */
export const stalenessOf = (plan: Plan): number => plan.steps.reduce((sum, { act }) => sum + addedBy(act), usualMs);
