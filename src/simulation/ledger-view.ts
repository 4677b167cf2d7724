import type { LedgerEntry } from '../cluster/index.ts';

/** Which writes; what is not named does not matter. */
export interface LedgerQuery {
  readonly by?: string | undefined;
  readonly verb?: LedgerEntry['verb'] | undefined;
  /** `pods`, or `modelservings/status` for a subresource; without one the object itself is meant. */
  readonly resource?: string | undefined;
  readonly name?: string | undefined;
}

/** Questions to the ledger of all committed writes. */
export interface LedgerView {
  writes(query?: LedgerQuery): readonly LedgerEntry[];
  /** Deletes of a resource by the operator, unless somebody else is named. */
  deletes(resource: string, by?: string): readonly LedgerEntry[];
  /** How many writes there have been; give it to `since`. */
  mark(): number;
  /** The same questions about what came after a mark. */
  since(mark: number): LedgerView;
}

const resourceOf = ({ resource, subresource }: LedgerEntry): string =>
  subresource === undefined ? resource : `${resource}/${subresource}`;

const fits = (entry: LedgerEntry, query: LedgerQuery): boolean =>
  (query.by === undefined || entry.userName === query.by) &&
  (query.verb === undefined || entry.verb === query.verb) &&
  (query.resource === undefined || resourceOf(entry) === query.resource) &&
  (query.name === undefined || entry.name === query.name);

export const viewLedger = (ledger: readonly LedgerEntry[], operatorUser: string, from = 0): LedgerView => ({
  writes: (query = {}) => ledger.slice(from).filter((entry) => fits(entry, query)),
  deletes: (resource, by = operatorUser) =>
    ledger.slice(from).filter((entry) => fits(entry, { by, verb: 'delete', resource })),
  mark: () => ledger.length,
  since: (mark) => viewLedger(ledger, operatorUser, mark),
});
