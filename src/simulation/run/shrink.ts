import type { Plan } from '../plan/plan.ts';
import type { RunResult } from './run-plan.ts';

export type RunOne = (plan: Plan) => Promise<RunResult>;

/**
 * The smallest plan found that still breaks the same rule: acts are left out, several at a time and then one by one,
 * then Roles, groups and Pods. Runs `attempts` plans at most.
 */
export const shrinkPlan = async (failed: RunResult, run: RunOne, attempts = 60): Promise<RunResult> => {
  const id = failed.violation?.id;
  let best = failed;
  let left = attempts;
  const tryOne = async (plan: Plan): Promise<boolean> => {
    if (left <= 0) return false;
    left -= 1;
    const result = await run(plan);
    if (result.violation?.id !== id) return false;
    best = result;
    return true;
  };

  for (let size = Math.ceil(best.plan.steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < best.plan.steps.length; ) {
      const steps = best.plan.steps.filter((_, index) => index < from || index >= from + size);
      if (!(await tryOne({ ...best.plan, steps }))) from += size;
    }
  }
  for (let tried = 0; tried < smaller.length; ) {
    const plan = smaller[tried]?.(best.plan);
    if (plan === undefined || !(await tryOne(plan))) tried += 1;
  }
  return best;
};

/** Each makes a plan smaller in one way, or tells that it cannot. */
const smaller: readonly ((plan: Plan) => Plan | undefined)[] = [
  ({ serving, ...plan }) =>
    serving.groups > 1 ? { ...plan, serving: { ...serving, groups: serving.groups - 1 } } : undefined,
  ({ serving, ...plan }) =>
    serving.roles.length > 1 ? { ...plan, serving: { ...serving, roles: serving.roles.slice(0, 1) } } : undefined,
  ({ serving, ...plan }) =>
    serving.roles.some(({ replicas }) => replicas > 1)
      ? { ...plan, serving: { ...serving, roles: serving.roles.map((role) => ({ ...role, replicas: 1 })) } }
      : undefined,
  ({ serving, ...plan }) =>
    serving.roles.some(({ workers }) => workers > 0)
      ? { ...plan, serving: { ...serving, roles: serving.roles.map((role) => ({ ...role, workers: 0 })) } }
      : undefined,
  ({ serving, ...plan }) =>
    serving.maxUnavailable > 1 ? { ...plan, serving: { ...serving, maxUnavailable: 1 } } : undefined,
];
