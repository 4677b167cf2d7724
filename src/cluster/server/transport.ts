import type { Cancel, Platform, ResponseHandlers, Transport, TransportRequest } from '../../platform/index.ts';
import type { ServerRequest } from '../server-types.ts';
import { isStream, type ServerOutcome } from './seam.ts';

export interface TransportOptions {
  readonly platform: Platform;
  readonly userName: string;
  readonly serve: (request: ServerRequest) => ServerOutcome;
}

/**
 * Requests as function calls. A request reaches the server, and its answer the client, by timers of 0 ms: virtual time
 * decides who comes first, and no caller is called back while it still sends. Within one answer the order is kept.
 */
export const createTransport = ({ platform, userName, serve }: TransportOptions): Transport => {
  const open = new Set<Cancel>();
  return {
    send: (request, handlers) => {
      const exchange = createExchange(platform, handlers, () => open.delete(cancel));
      const cancel = (): void => {
        exchange.cancel();
        open.delete(cancel);
      };
      open.add(cancel);
      exchange.soon(() => respond(exchange, serve(requestOf(request, userName))));
      return cancel;
    },
    close: async () => {
      for (const cancel of [...open]) cancel();
    },
  };
};

/** One request and what comes back for it. */
interface Exchange {
  /** Runs the task in the order of its calls, 0 ms later; not at all after a cancel. */
  soon(task: () => void): void;
  head(status: number, headers: Readonly<Record<string, string>>): void;
  data(text: string): void;
  end(): void;
  cancel(): void;
  /** Called on cancel, unless the answer has ended. */
  onCancel(stop: Cancel): void;
}

const createExchange = (platform: Platform, handlers: ResponseHandlers, done: () => void): Exchange => {
  let over = false;
  let stop: Cancel = () => undefined;
  // In the order of calls. One timer at a time, since timers that fall due together run in any order.
  let queue: (() => void)[] = [];
  const drain = (): void => {
    const due = queue;
    queue = [];
    for (const task of due) if (!over) task();
  };
  const soon = (task: () => void): void => {
    if (queue.push(task) === 1) platform.timers.after(0, drain);
  };
  return {
    soon,
    head: (status, headers) => soon(() => handlers.onHead({ status, headers })),
    data: (text) => soon(() => handlers.onData(encoder.encode(text))),
    end: () =>
      soon(() => {
        over = true;
        done();
        handlers.onEnd();
      }),
    cancel: () => {
      if (over) return;
      over = true;
      stop();
    },
    onCancel: (cancel) => {
      stop = cancel;
    },
  };
};

const encoder = new TextEncoder();

const respond = (exchange: Exchange, outcome: ServerOutcome): void => {
  const headers = { ...outcome.headers, 'content-type': outcome.contentType ?? 'application/json' };
  exchange.head(outcome.status, headers);
  if (isStream(outcome)) {
    exchange.onCancel(outcome.open({ write: exchange.data, end: exchange.end }));
    return;
  }
  exchange.data(textOf(outcome.body));
  exchange.end();
};

/** The body of an answer as it goes over the wire. */
export const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** The request as the server sees it. The path may hold percent-encoded segments. */
export const requestOf = (request: TransportRequest, userName: string): ServerRequest => {
  const mark = request.path.indexOf('?');
  const path = mark < 0 ? request.path : request.path.slice(0, mark);
  return {
    method: request.method,
    segments: path.split('/').filter(Boolean).map(decodeURIComponent),
    query: new URLSearchParams(mark < 0 ? '' : request.path.slice(mark + 1)),
    headers: request.headers,
    body: typeof request.body === 'string' ? encoder.encode(request.body) : (request.body ?? new Uint8Array()),
    userName,
  };
};
