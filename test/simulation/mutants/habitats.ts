import { type ActKind, badImages, type Plan } from '../../../src/simulation/index.ts';

// Plans in which a mutant can go wrong at all; hunting it in others would be a waste.

const has = (plan: Plan, kind: ActKind): boolean => plan.steps.some(({ act }) => act.kind === kind);
const inPlace = ({ serving }: Plan): boolean => serving.method === 'InPlace';
const imageAt = ({ steps }: Plan): readonly number[] =>
  steps.filter(({ act }) => act.kind === 'image').map(({ at }) => at);

export const pausesBeforeImage = (plan: Plan): boolean => {
  const pausedAt = plan.steps.find(({ act }) => act.kind === 'pause' && act.paused)?.at ?? Number.POSITIVE_INFINITY;
  return inPlace(plan) && imageAt(plan).some((at) => at > pausedAt + 5_000);
};
export const fails = (plan: Plan): boolean =>
  inPlace(plan) &&
  plan.serving.deadlineSeconds <= 90 &&
  plan.horizonMs === 200_000 &&
  plan.serving.groups === 3 &&
  plan.steps.some(({ act }) => act.kind === 'image' && badImages.includes(act.image));
export const changesTwice = (plan: Plan): boolean =>
  inPlace(plan) && plan.serving.graceSeconds === 30 && imageAt(plan).length > 1;
export const losesUnderRoleRecreate = (plan: Plan): boolean =>
  plan.serving.recovery === 'RoleRecreate' && (has(plan, 'delete-pod') || has(plan, 'evict-pod'));
export const restartsUnderGrace = (plan: Plan): boolean =>
  plan.serving.restartGraceSeconds > 0 && plan.serving.recovery !== 'None' && has(plan, 'kill-container');
export const scalesToNothing = ({ steps }: Plan): boolean =>
  steps.some(({ act }) => act.kind === 'scale' && act.groups === 0);
export const evicts = (plan: Plan): boolean => has(plan, 'evict-pod');
export const unlabels = (plan: Plan): boolean => has(plan, 'unlabel');
