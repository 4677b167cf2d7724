/** A part of the control plane: an API client that makes the world as objects want it. */
export interface Controller {
  /** Resolves when it knows the state of the cluster and has begun to work. */
  start(): Promise<void>;
  stop(): void;
}
