export { checkEligibility, checkRoleEligibility } from './check-eligibility.ts';
export { livePreflight, type PreflightTarget } from './live-preflight.ts';
export type { EligibilityResult, ImageChange, Reason, ReasonKind } from './reason.ts';
export type { Snapshot } from './snapshot.ts';
