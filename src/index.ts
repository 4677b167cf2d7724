/** The public face of the package: eligibility as a library, and the types it speaks of. */
export type { ModelServing } from './api/types.ts';
