import type { LedgerEntry } from '../../cluster/index.ts';
import type { Scene } from './scene.ts';

/** One committed write, judged before or after the scene has taken it in. */
export interface Judged {
  readonly entry: LedgerEntry;
  /** By an operator. */
  readonly isOwn: boolean;
  readonly scene: Scene;
}

/** What is wrong, in a sentence; undefined where all is well. */
export type Finding = string | undefined;

export interface Watch {
  /** The scene is as it was before the write. */
  readonly before?: (judged: Judged) => Finding;
  /** The scene is as the write left it. */
  readonly after?: (judged: Judged) => Finding;
}

/**
 * A rule that no committed write may break, whatever goes wrong around the operator. Judged by the ledger of the API
 * server and by what really runs on the nodes, never by what the operator believes.
 */
export interface Invariant {
  /** Its number in docs/proof.md. */
  readonly id: string;
  readonly rule: string;
  /** A fresh memory for one run. */
  readonly begin: () => Watch;
}

/** A rule about the state in which everything has come to rest, with all faults gone. */
export interface RestInvariant {
  readonly id: string;
  readonly rule: string;
  readonly check: (scene: Scene) => Finding;
}
