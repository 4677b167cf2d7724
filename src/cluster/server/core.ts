import type { Platform } from '../../platform/index.ts';
import type { AdmissionPlugin } from '../cluster-types.ts';
import type { StoredObject } from '../server-types.ts';
import type { KindEnvironment } from './kinds/strategy.ts';
import type { KindRegistry } from './registry/registry.ts';
import type { ServerExtensions } from './seam.ts';
import type { Ledger } from './storage/ledger.ts';
import type { Store } from './storage/store.ts';
import type { Write } from './verbs/commit.ts';

/** Text of a container's log, as the node that runs it knows it. Provided by whoever plays the kubelets. */
export interface LogSource {
  /**
   * @returns the lines so far; undefined where the container never ran
   * Lines come without their end. `follow` is called for each later one until the returned function is called.
   */
  read(pod: StoredObject, container: string, options: { readonly previous: boolean }): readonly string[] | undefined;
  follow?(pod: StoredObject, container: string, line: (text: string) => void, end: () => void): () => void;
}

/** What every verb works with. One per server; nothing in it is ever replaced. */
export interface Core {
  readonly platform: Platform;
  readonly store: Store;
  readonly kinds: KindRegistry;
  readonly ledger: Ledger;
  readonly extensions: ServerExtensions;
  /** In the order of registration; grows and shrinks while the server runs. */
  readonly admission: ReadonlySet<AdmissionPlugin>;
  readonly environment: () => KindEnvironment;
  /** The last moment before a write: what is written in here by someone else is there first. */
  readonly beforeCommit: (write: Write) => void;
  /** The version that reads see which accept any; undefined: the newest. */
  readonly staleRevision: () => number | undefined;
  readonly logs: () => LogSource | undefined;
  readonly watchTimes: WatchTimes;
}

export interface WatchTimes {
  /** Between two bookmarks of one watch, in milliseconds. */
  readonly bookmarkMs: number;
  /** How long a watch without `timeoutSeconds` lives at least; a random part up to the same again comes on top. */
  readonly minimumMs: number;
}
