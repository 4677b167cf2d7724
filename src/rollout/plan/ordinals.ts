/** Which ordinals stay, come and go so that `want` of them remain. */
export interface OrdinalPlan {
  /** Existing ones that stay, ascending. */
  readonly keep: readonly number[];
  /** Missing ones to create, ascending. */
  readonly create: readonly number[];
  /** Existing ones to remove, in the order of removal. */
  readonly remove: readonly number[];
}

export interface OrdinalInput {
  /** Ordinals that exist and are not on their way out. */
  readonly staying: readonly number[];
  /** Ordinals that exist and are on their way out: scaled away, or taken down to be made again. */
  readonly leaving: readonly number[];
  readonly want: number;
  /** Those that stay, first victim first; may be left empty where none has to go. */
  readonly removal: readonly number[];
}

/**
 * Nothing is ever renumbered, so sparse ordinals stay as they are. What is made takes the ordinals of what is on its
 * way out first, so that a unit taken down for a rollout comes back as itself and the partition's border never moves;
 * then the lowest gaps.
 */
export const planOrdinals = ({ staying, leaving, want, removal }: OrdinalInput): OrdinalPlan => {
  const remove = removal.slice(0, Math.max(0, staying.length - want));
  const gone = new Set(remove);
  const keep = staying.filter((ordinal) => !gone.has(ordinal)).sort((a, b) => a - b);
  const create = [...leaving].sort((a, b) => a - b).slice(0, Math.max(0, want - keep.length));
  const taken = new Set([...keep, ...create]);
  for (let ordinal = 0; keep.length + create.length < want; ordinal += 1) {
    if (!taken.has(ordinal)) create.push(ordinal);
  }
  return { keep, create: create.sort((a, b) => a - b), remove };
};
