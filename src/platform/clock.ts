/** Where time is read. Wall time may jump; monotonic time never goes back and means nothing outside the process. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  wall(): number;
  /** Milliseconds since some fixed moment of this process. */
  monotonic(): number;
}
