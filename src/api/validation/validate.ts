import { describeFieldError, type FieldError } from '../../objects/index.ts';
import type { ModelServing } from '../types.ts';
import type { Check } from './check.ts';
import { checkImages } from './images.ts';
import { checkGeneratedNames, checkRoleNames } from './names.ts';
import { checkGang, checkReplicas, checkWorkers } from './replicas.ts';
import { checkPolicyPair, checkRoleRollingUpdate, checkRollingUpdate } from './rollout.ts';
import { warningsFor } from './warnings.ts';

export interface Verdict {
  /** Empty where the object is accepted. */
  readonly errors: readonly FieldError[];
  /** Shown to whoever applied it; refuse nothing. */
  readonly warnings: readonly string[];
}

const checks: readonly Check[] = [
  checkGeneratedNames,
  checkRoleNames,
  checkImages,
  checkReplicas,
  checkRollingUpdate,
  checkRoleRollingUpdate,
  checkGang,
  checkWorkers,
  checkPolicyPair,
];

/**
 * What admission says to a ModelServing whose CRD defaults are applied. All checks always run, in kthena's order and
 * with its texts; nothing is compared with the object before. The schema of the CRD is not checked here.
 */
export const validate = (modelServing: ModelServing): Verdict => ({
  errors: checks.flatMap((check) => check(modelServing)),
  warnings: warningsFor(modelServing),
});

/** The errors as the webhook words a refusal; clients of kthena look for parts of it. */
export const refusalMessage = (errors: readonly FieldError[]): string =>
  ['validation failed:', ...errors.map((error) => `  - ${describeFieldError(error)}`)].join('\n');
