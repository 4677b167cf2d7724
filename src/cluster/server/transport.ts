import type { Cancel, Platform, Transport, TransportRequest } from '../../platform/index.ts';
import type { ServerRequest } from '../server-types.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { factsOf } from './faults/facts.ts';
import type { Fault } from './faults/fault-types.ts';
import type { FaultPlan } from './faults/faults.ts';
import { createLag } from './faults/lag.ts';
import type { OpenStreams } from './faults/open-streams.ts';
import { refusalOf } from './faults/refusal.ts';
import type { KindRegistry } from './registry/registry.ts';
import { isStream, type ServerOutcome, type ServerStream } from './seam.ts';

export interface TransportOptions {
  readonly platform: Platform;
  readonly userName: string;
  readonly serve: (request: ServerRequest) => ServerOutcome;
  readonly kinds: KindRegistry;
  readonly faultsOf: FaultPlan['faultsOf'];
  readonly streams: OpenStreams;
}

/**
 * Requests as function calls. A request reaches the server, and its answer the client, by timers of 0 ms: virtual time
 * decides who comes first, and no caller is called back while it still sends. Within one answer the order is kept.
 * What is switched on to go wrong goes wrong here, on the way.
 */
export const createTransport = (options: TransportOptions): Transport => {
  const open = new Set<Cancel>();
  return {
    send: (request, handlers) => {
      const exchange = createExchange(options.platform, handlers);
      open.add(exchange.cancel);
      exchange.onOver(() => open.delete(exchange.cancel));
      travel(options, exchange, requestOf(request, options.userName));
      return exchange.cancel;
    },
    close: async () => {
      for (const cancel of [...open]) cancel();
    },
  };
};

const travel = (options: TransportOptions, exchange: Exchange, request: ServerRequest): void => {
  const facts = factsOf(options.kinds, request);
  const faults = options.faultsOf(facts);
  const find = <K extends Fault['fault']>(kind: K): Extract<Fault, { fault: K }> | undefined =>
    faults.find((one): one is Extract<Fault, { fault: K }> => one.fault === kind);
  const delayOf = (kind: 'delay-request' | 'delay-reply'): number =>
    faults.reduce((sum, one) => sum + (one.fault === kind ? one.ms : 0), 0);

  exchange.later(delayOf('delay-request'), () => {
    if (find('lose-request') !== undefined) return exchange.fail(connectionReset());
    const refused = find('answer');
    const outcome = refused === undefined ? options.serve(request) : refusalOf(refused, facts);
    if (find('lose-reply') !== undefined) return exchange.fail(connectionReset());
    const lag = find('lag-watch');
    exchange.later(delayOf('delay-reply'), () =>
      respond(options, exchange, { outcome, lag, resource: facts.resource }),
    );
  });
};

interface Reply {
  readonly outcome: ServerOutcome;
  readonly lag: Extract<Fault, { fault: 'lag-watch' }> | undefined;
  readonly resource: string | undefined;
}

const respond = (options: TransportOptions, exchange: Exchange, { outcome, lag, resource = '' }: Reply): void => {
  exchange.head(outcome.status, { ...outcome.headers, 'content-type': outcome.contentType ?? 'application/json' });
  if (!isStream(outcome)) {
    exchange.data(textOf(outcome.body));
    exchange.end();
    return;
  }
  exchange.onOver(options.streams.add(resource, exchange.end));
  exchange.onOver(flow(options, exchange, outcome, lag));
};

const flow = (options: TransportOptions, exchange: Exchange, stream: ServerStream, lag: Reply['lag']): Cancel => {
  if (lag === undefined) return stream.open({ write: exchange.data, end: exchange.end });
  const { timers } = options.platform;
  const late = createLag({ timers, ms: lag.ms, coalesce: lag.coalesce === true, pass: exchange.data });
  return stream.open({ write: late.put, end: () => late.after(exchange.end) });
};

/** What a client sees of a connection that broke. */
const connectionReset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** The body of an answer as it goes over the wire. */
export const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** The request as the server sees it. The path may hold percent-encoded segments. */
export const requestOf = (request: TransportRequest, userName: string): ServerRequest => {
  const mark = request.path.indexOf('?');
  const path = mark < 0 ? request.path : request.path.slice(0, mark);
  return {
    method: request.method,
    segments: path.split('/').filter(Boolean).map(decodeSegment),
    query: new URLSearchParams(mark < 0 ? '' : request.path.slice(mark + 1)),
    headers: request.headers,
    body:
      typeof request.body === 'string' ? new TextEncoder().encode(request.body) : (request.body ?? new Uint8Array()),
    userName,
  };
};

// A segment that is no percent-encoding stands for itself, and finds nothing.
const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
};
