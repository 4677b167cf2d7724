import type { LedgerEntry } from '../../cluster-types.ts';

/** A request as faults see it. The fields of the resource are absent for paths that name none. */
export interface RequestFacts {
  readonly userName: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly isWatch: boolean;
  readonly group?: string | undefined;
  readonly resource?: string | undefined;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** What goes wrong with one request. Durations in milliseconds. */
export type Fault =
  /** The server refuses and does nothing. 409, 429, 500, 503, 504 have texts of their own. */
  | {
      readonly fault: 'answer';
      readonly status: number;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
    }
  /** The connection breaks before the server has the request. */
  | { readonly fault: 'lose-request' }
  /** The server does what it is asked, and the connection breaks before it answers. */
  | { readonly fault: 'lose-reply' }
  | { readonly fault: 'delay-request'; readonly ms: number }
  | { readonly fault: 'delay-reply'; readonly ms: number }
  /** Every event of this watch comes late; `coalesce` shows of several changes of one object in that time the last. */
  | { readonly fault: 'lag-watch'; readonly ms: number; readonly coalesce?: boolean };

/** Decides for each request when it is sent. Nothing goes wrong where it answers undefined. */
export type RequestFault = (request: RequestFacts) => Fault | readonly Fault[] | undefined;

/** A write that is about to be committed. */
export type PendingWrite = Pick<
  LedgerEntry,
  'userName' | 'verb' | 'group' | 'resource' | 'subresource' | 'namespace' | 'name'
>;
