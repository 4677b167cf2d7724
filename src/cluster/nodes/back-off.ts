/**
 * client-go's `flowcontrol.Backoff` with the kubelet's figures: 10 s, doubled on each `next`, at most 300 s, and
 * forgotten after 10 minutes. The kubelet has one for crashing containers and one for images that cannot be pulled.
 */
export interface BackOff {
  /** Notes a failure (or a restart that may fail) that happened at `eventAtMs`, now being `nowMs`. */
  next(key: string, eventAtMs: number, nowMs: number): void;
  /** Whether less than the key's delay has passed since `eventAtMs`. */
  holdsSince(key: string, eventAtMs: number, nowMs: number): boolean;
  /** Whether less than the key's delay has passed since its last `next`. */
  holds(key: string, nowMs: number): boolean;
  /** Milliseconds; 0 for an unknown key. */
  delayOf(key: string): number;
  /** Forgets every key that starts so; with an empty text, all. */
  forget(prefix: string): void;
}

const firstMs = 10_000;
const longestMs = 300_000;
/** "hasExpired" of client-go: twice the longest delay. */
const forgottenAfterMs = 2 * longestMs;

export const createBackOff = (): BackOff => {
  const entries = new Map<string, { readonly delayMs: number; readonly updatedAtMs: number }>();
  return {
    next: (key, eventAtMs, nowMs) => {
      const entry = entries.get(key);
      const fresh = entry === undefined || eventAtMs - entry.updatedAtMs > forgottenAfterMs;
      entries.set(key, { delayMs: fresh ? firstMs : Math.min(entry.delayMs * 2, longestMs), updatedAtMs: nowMs });
    },
    holdsSince: (key, eventAtMs, nowMs) => {
      const entry = entries.get(key);
      if (entry === undefined || eventAtMs - entry.updatedAtMs > forgottenAfterMs) return false;
      return nowMs - eventAtMs < entry.delayMs;
    },
    holds: (key, nowMs) => {
      const entry = entries.get(key);
      if (entry === undefined || nowMs - entry.updatedAtMs > forgottenAfterMs) return false;
      return nowMs - entry.updatedAtMs < entry.delayMs;
    },
    delayOf: (key) => entries.get(key)?.delayMs ?? 0,
    forget: (prefix) => {
      for (const key of entries.keys()) if (key.startsWith(prefix)) entries.delete(key);
    },
  };
};

/** How Go prints a duration of whole seconds: `10s`, `2m40s`. */
export const goSeconds = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`;
};
