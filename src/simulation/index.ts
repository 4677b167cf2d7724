export { createDisturbances, type Disturbance, type DisturbanceRule, type Disturbances } from './disturbance.ts';
export { forbidReality } from './forbid-reality.ts';
export { invariantRules } from './invariants/index.ts';
export type { LedgerQuery, LedgerView } from './ledger-view.ts';
export { createLink, type Link, type LinkOptions, type WriteMoment } from './link.ts';
export { basePlans } from './plan/base-plans.ts';
export { drawPlan } from './plan/draw-plan.ts';
export { badImages } from './plan/images.ts';
export type { Act, ActKind, Plan } from './plan/plan.ts';
export { runCampaign, type Tally } from './run/campaign.ts';
export { type CrashPoints, runCrashPoints } from './run/crash-points.ts';
export { type RunOptions, type RunResult, runPlan } from './run/run-plan.ts';
export { shrinkPlan } from './run/shrink.ts';
export { describeAct, tellStory } from './run/story.ts';
export type { CrashPlan, Logic, RunningOperator } from './running-operator.ts';
export {
  createVirtualPlatform,
  type VirtualPlatform,
  type VirtualPlatformOptions,
  type VirtualProcess,
} from './virtual-platform.ts';
export { roleWithImage, withImage } from './with-image.ts';
export { createWorld, operatorUser, type World, type WorldOptions } from './world.ts';
