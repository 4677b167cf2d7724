import { expect, it } from 'vitest';
import { seePod } from '../../src/rollout/index.ts';
import { type Plan, runPlan, shrinkPlan, tellStory } from '../../src/simulation/index.ts';
import { mutants } from './mutants/mutants.ts';

/** A plan in which one step matters and the others do not. */
const plan: Plan = {
  seed: 7,
  serving: {
    groups: 2,
    roles: [
      { name: 'p', replicas: 1, workers: 0 },
      { name: 'd', replicas: 2, workers: 0 },
    ],
    type: 'ServingGroupRollingUpdate',
    method: 'InPlace',
    recovery: 'RoleRecreate',
    maxUnavailable: 1,
    maxSurge: 0,
    partition: 0,
    restartGraceSeconds: 0,
    deadlineSeconds: 600,
    graceSeconds: 1,
    hasProbe: true,
  },
  steps: [
    { at: 2_000, act: { kind: 'close-watches', plural: 'pods' } },
    { at: 3_000, act: { kind: 'compact' } },
    { at: 5_000, act: { kind: 'image', image: 'engine:v2' } },
    { at: 30_000, act: { kind: 'close-watches', plural: 'services' } },
  ],
  horizonMs: 60_000,
  ending: 'as-it-is',
};

it('a plan that breaks a rule is made smaller until only what matters is left, and told as a story', async () => {
  const mutant = mutants.find(({ name }) => name === 'an update counts as complete when it was sent');
  if (mutant === undefined) throw new Error('that mutant is gone');
  const run = (it: Plan) => runPlan(it, { logic: { decide: mutant.decide, seePod } });
  const failed = await run(plan);
  expect(failed.violation?.id).toBe('I13');
  const smallest = await shrinkPlan(failed, run);
  expect(smallest.violation?.id).toBe('I13');
  expect(smallest.plan.steps).toEqual([{ at: 5_000, act: { kind: 'image', image: 'engine:v2' } }]);
  expect(smallest.plan.serving.groups).toBe(1);
  expect(smallest.plan.serving.roles).toEqual([{ name: 'p', replicas: 1, workers: 0 }]);
  const story = smallest.violation === undefined ? '' : tellStory(smallest.plan, smallest.violation).join('\n');
  expect(story).toContain('image image engine:v2');
  expect(story).toContain('is called complete, and container c is engine:v1, not engine:v2');
});
