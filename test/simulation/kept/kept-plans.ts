import type { Plan } from '../../../src/simulation/index.ts';

/** A run that once broke a rule, made small. `behaviour` is what must hold now. */
export interface KeptPlan {
  readonly behaviour: string;
  readonly plan: Plan;
}

const serving: Plan['serving'] = {
  groups: 2,
  roles: [{ name: 'p', replicas: 2, workers: 0 }],
  type: 'RoleRollingUpdate',
  method: 'Recreate',
  recovery: 'ServingGroupRecreate',
  maxUnavailable: 1,
  maxSurge: 0,
  partition: 0,
  restartGraceSeconds: 0,
  deadlineSeconds: 60,
  graceSeconds: 1,
  hasProbe: true,
};

export const keptPlans: readonly KeptPlan[] = [
  {
    behaviour: 'a role instance that is recreated for an update does not take its group with it (seed 54)',
    plan: {
      seed: 54,
      serving,
      steps: [{ at: 6457, act: { kind: 'image', image: 'engine:v3' } }],
      horizonMs: 20_000,
      ending: 'mended',
    },
  },
  {
    behaviour: 'an update to an image that somebody put in by hand before completes without a restart (seed 2190)',
    plan: {
      seed: 2187,
      serving: {
        ...serving,
        groups: 1,
        roles: [{ name: 'p', replicas: 1, workers: 0 }],
        method: 'InPlace',
        recovery: 'None',
      },
      // The last image of this seed is v3. An operator that has seen the restart needs no waiting; its successor does.
      steps: [
        { at: 5_000, act: { kind: 'image-by-hand', pick: 0, image: 'engine:v3' } },
        { at: 16_000, act: { kind: 'kill', downMs: 0 } },
      ],
      horizonMs: 20_000,
      ending: 'mended',
    },
  },
];
