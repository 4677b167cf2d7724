import type { ResponseHead, TransportRequest } from '../platform/index.ts';

/** What goes wrong with one request. Fault numbers are those of the fault list (docs/design/simulation.md). */
export type Disturbance =
  /** F5: it never reaches the server; the connection breaks. */
  | { readonly kind: 'lose-request' }
  /** F4: it is committed, and the connection breaks before the answer. */
  | { readonly kind: 'lose-reply' }
  /** No answer ever comes; the caller's own timeout must help. */
  | { readonly kind: 'hang' }
  /** F7, F8: the server refuses it with this Status and does nothing. */
  | {
      readonly kind: 'refuse';
      readonly code: number;
      readonly reason: string;
      readonly message: string;
      readonly retryAfterSeconds?: number | undefined;
    }
  /** F38: it reaches the server late, after the caller may have given up. */
  | { readonly kind: 'slow-request'; readonly byMs: number }
  /** F9, F38: the answer, or every event of a watch, comes late. */
  | { readonly kind: 'slow-reply'; readonly byMs: number };

/** A disturbance for the requests that match, `times` times (default: for as long as the rule stands). */
export interface DisturbanceRule {
  readonly matches: (request: TransportRequest) => boolean;
  readonly disturbance: Disturbance;
  readonly times?: number | undefined;
}

/** The rules that stand now; the first that matches decides. */
export interface Disturbances {
  /** The returned function takes the rule away. */
  add(rule: DisturbanceRule): () => void;
  clear(): void;
  take(request: TransportRequest): Disturbance | undefined;
}

export const createDisturbances = (): Disturbances => {
  const rules = new Map<DisturbanceRule, number>();
  return {
    add: (rule) => {
      rules.set(rule, rule.times ?? Number.POSITIVE_INFINITY);
      return () => {
        rules.delete(rule);
      };
    },
    clear: () => rules.clear(),
    take: (request) => {
      for (const [rule, left] of rules) {
        if (!rule.matches(request)) continue;
        if (left <= 1) rules.delete(rule);
        else rules.set(rule, left - 1);
        return rule.disturbance;
      }
      return undefined;
    },
  };
};

/** The answer of an API server that refuses: a Status, and Retry-After where it asks to come back. */
export const refusalBody = (
  refusal: Extract<Disturbance, { readonly kind: 'refuse' }>,
): { readonly head: ResponseHead; readonly body: Uint8Array } => {
  const { code, reason, message, retryAfterSeconds } = refusal;
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  const retryAfter = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return {
    head: { status: code, headers: { 'content-type': 'application/json', ...retryAfter } },
    body: new TextEncoder().encode(JSON.stringify(status)),
  };
};
