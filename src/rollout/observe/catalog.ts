import type { PluginSpec, Role } from '../../api/index.ts';
import type { EligibilityResult } from '../../eligibility/index.ts';

/**
 * The revisions of one ModelServing as the decision sees them. A revision that nobody can read any more is unknown:
 * nothing is guessed about it.
 */
export interface Catalog {
  /** The revision that the spec asks for now. */
  readonly target: string;
  /** All that are on record, and the target: that one first, then the newest. */
  readonly known: readonly string[];
  /** Roles of a revision by name, with whatever replicas its data holds; undefined where it is unknown. */
  roles(revision: string): ReadonlyMap<string, Role> | undefined;
  /** `schedulerName` of a revision; undefined where its data does not record one. */
  schedulerName(revision: string): string | undefined;
  /** Plugins of a revision; where its data does not record them, those of the present spec. */
  plugins(revision: string): readonly PluginSpec[];
  roleTemplateHash(revision: string, role: string): string | undefined;
  /** Equal by meaning, not by name. A revision is always the same as itself, known or not. */
  same(a: string, b: string): boolean;
  /** The same for what one Role is made of; Role mode judges by this. */
  sameRole(a: string, b: string, role: string): boolean;
  /** Whether Pods of one revision may be patched to another: of all Roles, or of one. Unknown ones are not eligible. */
  eligibility(from: string, to: string, role?: string): EligibilityResult;
}
