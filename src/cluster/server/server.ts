import type { Cancel, Platform, Transport } from '../../platform/index.ts';
import type { AdmissionPlugin, LedgerEntry } from '../cluster-types.ts';
import type { ResourceRegistry, ServerRequest } from '../server-types.ts';
import type { Core, LogSource } from './core.ts';
import { removeWithDefinition } from './custom/cleanup.ts';
import { customKinds } from './custom/custom-kinds.ts';
import { createFaultPlan, type Faults } from './faults/faults.ts';
import { createOpenStreams } from './faults/open-streams.ts';
import { handle } from './handle.ts';
import { eventsConversion } from './kinds/event.ts';
import { valueAt } from './kinds/fields.ts';
import { strategiesOf } from './kinds/strategies.ts';
import { cleanNamespaces } from './namespace-cleanup.ts';
import { builtinKinds } from './registry/builtin-table.ts';
import { createRegistry } from './registry/registry.ts';
import type { ServerExtensions, ServerOutcome } from './seam.ts';
import { seedNamespaces } from './seed.ts';
import { createLedger } from './storage/ledger.ts';
import { createStore } from './storage/store.ts';
import { createTransport } from './transport.ts';

export interface ApiServerOptions {
  readonly platform: Platform;
  /** How many changes of each resource a watch may start from. Default 10,000. */
  readonly historyLimit?: number | undefined;
  /** How many writes the ledger keeps. Default 1,000,000. */
  readonly ledgerLimit?: number | undefined;
  /** False plays a server before 1.33: Pods have no `metadata.generation`. Default true. */
  readonly podGeneration?: boolean | undefined;
  /** Between two bookmarks of a watch. Default a minute. */
  readonly bookmarkMs?: number | undefined;
  readonly extensions?: ServerExtensions | undefined;
}

/** A Kubernetes API server in one process. It runs as long as it is referred to; there is nothing to stop. */
export interface ApiServer {
  /** Connects as a user; the name stands in the ledger. */
  connect(userName: string): Transport;
  /** Answers one request at once, without the time a transport takes. */
  handle(request: ServerRequest): ServerOutcome;
  readonly registry: ResourceRegistry;
  /** Every committed write, oldest first. */
  readonly ledger: readonly LedgerEntry[];
  /** Plugins are asked in the order of their registration. */
  admission(plugin: AdmissionPlugin): Cancel;
  /** Says where `pods/NAME/log` comes from; without it the answer is 501. */
  setLogSource(source: LogSource): void;
  /** What can be made to go wrong. Applies to what comes through `connect`; `handle` itself never fails on purpose. */
  readonly faults: Faults;
}

export const createApiServer = (options: ApiServerOptions): ApiServer => {
  const { platform } = options;
  const store = createStore(options.historyLimit ?? 10_000);
  const kinds = createRegistry(
    builtinKinds(strategiesOf({ podGeneration: options.podGeneration ?? true }), {
      'events.events.k8s.io': eventsConversion,
    }),
    () => store.list(crdStorage).flatMap(customKinds),
  );
  const ledger = createLedger(options.ledgerLimit ?? 1_000_000);
  const admission = new Set<AdmissionPlugin>();
  const plan = createFaultPlan();
  const streams = createOpenStreams();
  let logs: LogSource | undefined;
  let stale: number | undefined;
  const core: Core = {
    platform,
    store,
    kinds,
    ledger,
    admission,
    extensions: options.extensions ?? {},
    environment: () => ({ nowMs: platform.clock.wall(), list: store.list, get: store.get }),
    beforeCommit: plan.beforeCommit,
    staleRevision: () => stale,
    logs: () => logs,
    watchTimes: { bookmarkMs: options.bookmarkMs ?? 60_000, minimumMs: 30 * 60_000 },
  };
  removeWithDefinition(core);
  cleanNamespaces(core);
  // Nobody can watch a kind that is gone. After the events of its last objects.
  store.subscribe(crdStorage, ({ type, object }) => {
    if (type === 'DELETED') streams.end(String(valueAt(object, 'spec.names.plural')));
  });
  const serve = (request: ServerRequest): ServerOutcome => handle(core, request);
  seedNamespaces(serve);
  return {
    connect: (userName) => createTransport({ platform, userName, serve, kinds, faultsOf: plan.faultsOf, streams }),
    handle: serve,
    registry: kinds,
    ledger: ledger.entries,
    admission: (plugin) => {
      admission.add(plugin);
      return () => admission.delete(plugin);
    },
    setLogSource: (source) => {
      logs = source;
    },
    faults: {
      onRequest: plan.onRequest,
      beforeCommit: (hook) => {
        plan.hooks.add(hook);
        return () => plan.hooks.delete(hook);
      },
      closeWatches: streams.end,
      compact: store.compact,
      serveStale: (resourceVersion) => {
        stale = resourceVersion === undefined ? undefined : Number(resourceVersion);
      },
    },
  };
};

const crdStorage = 'apiextensions.k8s.io/customresourcedefinitions';
