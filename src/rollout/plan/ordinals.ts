/** Which ordinals stay, come and go so that `want` of them remain. */
export interface OrdinalPlan {
  /** Existing ones that stay, ascending. */
  readonly keep: readonly number[];
  /** Missing ones to create, ascending. */
  readonly create: readonly number[];
  /** Existing ones to remove, in the order of removal. */
  readonly remove: readonly number[];
}

/**
 * Fills the lowest gaps below `want`; nothing is ever renumbered, so sparse ordinals stay as they are.
 *
 * @param staying   ordinals that exist and are not on their way out
 * @param removal   the same ordinals, first victim first
 */
export const planOrdinals = (staying: readonly number[], want: number, removal: readonly number[]): OrdinalPlan => {
  const remove = removal.slice(0, Math.max(0, staying.length - want));
  const gone = new Set(remove);
  const keep = staying.filter((ordinal) => !gone.has(ordinal)).sort((a, b) => a - b);
  const taken = new Set(keep);
  const create: number[] = [];
  for (let ordinal = 0; keep.length + create.length < want; ordinal += 1) {
    if (!taken.has(ordinal)) create.push(ordinal);
  }
  return { keep, create, remove };
};
