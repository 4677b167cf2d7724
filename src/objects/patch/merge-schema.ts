/** How a strategic merge treats a field: the words of `x-kubernetes-patch-strategy`. */
export type MergeStrategy = 'merge' | 'replace' | 'retainKeys';

/**
 * What a strategic merge must know of a type, one step at a time: it walks patch and schema together and asks for the
 * field it is about to enter.
 */
export interface MergeSchema {
  /**
   * The field of that name; for a map with free keys every name is a field. Undefined where the schema knows none: then
   * objects merge and lists are replaced.
   */
  field(name: string): MergeField | undefined;
}

export interface MergeField {
  /** Empty: objects merge, lists are replaced. `merge,retainKeys` names two. */
  readonly strategies: readonly MergeStrategy[];
  /** The member by which items of the list are one and the same: `x-kubernetes-patch-merge-key`. Lists of objects only. */
  readonly mergeKey?: string | undefined;
  /** The type of the value; of a list, the type of its items. */
  readonly schema: MergeSchema;
}

/** A type of which nothing is known. */
export const noMergeSchema: MergeSchema = { field: () => undefined };
