/**
 * client-go's work queue: a key is in the queue at most once, is never handled twice at the same time, and a key added
 * while it is handled is handled again afterwards.
 */
export interface WorkQueue {
  add(key: string): void;
  /** Adds the key `delayMs` from now. An earlier wake-up of the same key wins; a later one is dropped. */
  addAfter(key: string, delayMs: number): void;
  /** Adds the key after its own exponential back-off, which `forget` resets. */
  addRateLimited(key: string): void;
  forget(key: string): void;
  /**
   * Handles keys with at most `concurrency` at a time. A handler that rejects is logged and its key is added again
   * with back-off. The returned function stops taking keys and resolves when the handlers under way have ended.
   */
  run(concurrency: number, handle: (key: string) => Promise<void>): () => Promise<void>;
  /** How many keys wait to be handled (not counting delayed ones). */
  readonly depth: number;
}
