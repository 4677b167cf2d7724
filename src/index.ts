/** The public face of the package: eligibility as a library, and the types it speaks of. */
export type { ModelServing, ModelServingSpec, PodTemplate, Role } from './api/index.ts';
export {
  checkEligibility,
  checkRoleEligibility,
  type EligibilityResult,
  type ImageChange,
  type Reason,
  type ReasonKind,
  type Snapshot,
} from './eligibility/index.ts';
