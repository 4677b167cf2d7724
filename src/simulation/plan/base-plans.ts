import type { Plan, ServingPlan, Step } from './plan.ts';

const serving: ServingPlan = {
  groups: 2,
  roles: [{ name: 'r', replicas: 1, workers: 1 }],
  type: 'ServingGroupRollingUpdate',
  method: 'InPlace',
  recovery: 'ServingGroupRecreate',
  maxUnavailable: 1,
  maxSurge: 0,
  partition: 0,
  restartGraceSeconds: 0,
  deadlineSeconds: 60,
  graceSeconds: 1,
  hasProbe: true,
};

/** Seed 5: the image that everything ends on is v1. */
const plan = (steps: readonly Step[], differences: Partial<ServingPlan> = {}): Plan => ({
  seed: 5,
  serving: { ...serving, ...differences },
  steps,
  horizonMs: 30_000,
  ending: 'mended',
});

const rollOut: Step = { at: 5_000, act: { kind: 'image', image: 'engine:v2' } };
const oneRole = [{ name: 'r', replicas: 2, workers: 0 }];

/** What every operator has to get through, small, by name. */
export const basePlans: Readonly<Record<string, Plan>> = {
  'in-place': plan([rollOut]),
  recreate: plan([rollOut], { method: 'Recreate' }),
  'by-role': plan([rollOut], { type: 'RoleRollingUpdate', roles: oneRole }),
  'by-role-recreate': plan([rollOut], { type: 'RoleRollingUpdate', roles: oneRole, method: 'Recreate' }),
  retarget: plan([rollOut, { at: 6_500, act: { kind: 'image', image: 'engine:v3' } }]),
  'bad-image': { ...plan([{ at: 5_000, act: { kind: 'image', image: 'engine:missing' } }]), horizonMs: 120_000 },
  'scale-down-and-up': plan([
    rollOut,
    { at: 6_500, act: { kind: 'scale', groups: 1 } },
    { at: 12_000, act: { kind: 'scale', groups: 3 } },
  ]),
  'lost-pod': plan([{ at: 5_000, act: { kind: 'delete-pod', pick: 0.6 } }], { recovery: 'RoleRecreate' }),
  surge: plan([rollOut], { method: 'Recreate', maxSurge: 1 }),
};
