/**
 * Compares two resourceVersions of one resource on one server: negative, zero or positive, as a subtraction would.
 * They are decimal numbers without leading zeros that pass 2^53, so the longer one is the greater, and equally long
 * ones compare as text: the order of BigInt without making one per event (KEP-5504).
 */
export const compareVersions = (a: string, b: string): number =>
  a.length !== b.length ? a.length - b.length : a < b ? -1 : a > b ? 1 : 0;

/** True where `a` is at or past `b`. Nothing (undefined) is before everything. */
export const hasReached = (a: string | undefined, b: string): boolean => a !== undefined && compareVersions(a, b) >= 0;
