/** Ends a timer, a request or a subscription. Calling it again does nothing. */
export type Cancel = () => void;

/** Where waiting happens. */
export interface Timers {
  /**
   * Runs a task once, `delayMs` milliseconds from now. Delays longer than a Node timer can hold (2^31 - 1 ms, beyond
   * which it would fire at once) are waited for in pieces. A pending task does not keep the process alive if
   * `background` is set.
   */
  after(delayMs: number, task: () => void, options?: { readonly background?: boolean }): Cancel;
}
