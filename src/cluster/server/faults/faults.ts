import type { Cancel } from '../../../platform/index.ts';
import type { Write } from '../verbs/commit.ts';
import type { Fault, PendingWrite, RequestFacts, RequestFault } from './fault-types.ts';

/** The switches of a server for tests and simulations. Everything is off until it is switched on. */
export interface Faults {
  /** All registered faults apply together; the first answer or loss wins, delays add up. */
  onRequest(fault: RequestFault): Cancel;
  /** Called right before each commit. Another write made in there is the faster one, so the client meets a race. */
  beforeCommit(hook: (write: PendingWrite) => void): Cancel;
  /** Ends open watches cleanly: of a resource by its plural, or all. */
  closeWatches(resource?: string): void;
  /** Forgets all history: watches from older versions and further pages of lists answer 410. */
  compact(): void;
  /** From now on, reads that accept any version (`resourceVersion=0`) see this one; undefined ends it. */
  serveStale(resourceVersion: string | undefined): void;
}

/** What the transport asks for each request, and the verbs before each commit. */
export interface FaultPlan {
  readonly faultsOf: (request: RequestFacts) => readonly Fault[];
  readonly beforeCommit: (write: Write) => void;
}

export const createFaultPlan = (): FaultPlan & Pick<Faults, 'onRequest'> & { readonly hooks: Set<Hook> } => {
  const requests = new Set<RequestFault>();
  const hooks = new Set<Hook>();
  return {
    hooks,
    onRequest: (fault) => {
      requests.add(fault);
      return () => requests.delete(fault);
    },
    faultsOf: (facts) => [...requests].flatMap((fault) => fault(facts) ?? []),
    beforeCommit: ({ target, request, verb }) => {
      if (hooks.size === 0) return;
      const { kind, subresource, namespace, name = '' } = target;
      const { userName } = request;
      const write = { userName, verb, group: kind.group, resource: kind.plural, subresource, namespace, name };
      for (const hook of [...hooks]) hook(write);
    },
  };
};

type Hook = (write: PendingWrite) => void;
