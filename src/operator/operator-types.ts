import type { Log } from '../kube/index.ts';
import type { Platform, Transport } from '../platform/index.ts';
import type { Wait } from '../rollout/index.ts';
import type { ProbeAnswer } from './health.ts';
import type { SeePod } from './memory.ts';
import type { Decide } from './reconcile.ts';

export interface OperatorOptions {
  /** Watch and serve this namespace alone. Default: all. */
  readonly namespace?: string | undefined;
  /** ModelServings handled at the same time. Default 5. */
  readonly concurrency?: number | undefined;
  /** Writes of one stage in flight at once, for one ModelServing. Default 16. */
  readonly parallelEffects?: number | undefined;
  /** Makes ModelServings of LeaderWorkerSets, in place of their own controller. Default true. */
  readonly leaderWorkerSets?: boolean | undefined;
  /** Freezes cached objects, to catch whoever changes them. For tests. Default false. */
  readonly freeze?: boolean | undefined;
}

/** What an operator is made of; everything it knows of the machine comes in here. */
export interface OperatorParts {
  readonly transport: Transport;
  readonly platform: Platform;
  readonly log: Log;
  /** What to do about one ModelServing. */
  readonly decide: Decide;
  readonly seePod: SeePod;
  readonly options?: OperatorOptions | undefined;
}

export interface Operator {
  /**
   * Opens the watches, waits until the caches have reached the present (asking again where the API server cannot be
   * reached), then decides. Resolves when the first decisions may be taken.
   */
  start(): Promise<void>;
  /** Takes no new work, finishes what is under way, ends the watches. */
  stop(): Promise<void>;
  /** Drops everything at this very line. */
  kill(): void;
  /** Answers `/healthz`, `/readyz`, `/metrics`. */
  probe(path: string): Promise<ProbeAnswer>;
  /** Why each ModelServing (`namespace/name`) does not move, as of its latest decision. */
  waits(): ReadonlyMap<string, readonly Wait[]>;
}
