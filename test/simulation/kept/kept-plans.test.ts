import { expect, it } from 'vitest';
import { runPlan } from '../../../src/simulation/index.ts';
import { keptPlans } from './kept-plans.ts';

it.each(keptPlans)('$behaviour', async ({ plan }) => {
  const { violation } = await runPlan(plan);
  expect(violation?.message).toBeUndefined();
});
