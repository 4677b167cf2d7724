import type { ResponseHandlers, Transport, TransportRequest } from '../../src/platform/index.ts';

/** One request as the far end sees it, to be answered step by step. */
export interface ScriptedExchange {
  readonly request: TransportRequest;
  readonly path: string;
  readonly query: URLSearchParams;
  head(status: number, headers?: Readonly<Record<string, string>>): void;
  /** Text, or an object written as one line of JSON. */
  data(chunk: string | Uint8Array | object): void;
  end(error?: Error): void;
  /** Head, body and end at once. */
  answer(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void;
  isCancelled(): boolean;
}

export interface ScriptedTransport extends Transport {
  /** Every request so far, in order. */
  readonly exchanges: readonly ScriptedExchange[];
  /** The newest request. Throws where there is none. */
  last(): ScriptedExchange;
}

/** A transport whose far end is the test itself: nothing is answered until the test says so. */
export const createScriptedTransport = (onRequest?: (exchange: ScriptedExchange) => void): ScriptedTransport => {
  const exchanges: ScriptedExchange[] = [];
  return {
    exchanges,
    last: () => {
      const newest = exchanges.at(-1);
      if (newest === undefined) throw new Error('nothing was requested');
      return newest;
    },
    send: (request, handlers) => {
      const { exchange, cancel } = begin(request, handlers);
      exchanges.push(exchange);
      onRequest?.(exchange);
      return cancel;
    },
    close: async () => undefined,
  };
};

const begin = (
  request: TransportRequest,
  handlers: ResponseHandlers,
): { readonly exchange: ScriptedExchange; readonly cancel: () => void } => {
  let over = false;
  const url = new URL(request.path, 'http://server');
  const exchange: ScriptedExchange = {
    request,
    path: url.pathname,
    query: url.searchParams,
    head: (status, headers = {}) => {
      if (!over) handlers.onHead({ status, headers });
    },
    data: (chunk) => {
      if (!over) handlers.onData(bytesOf(chunk));
    },
    end: (error) => {
      if (over) return;
      over = true;
      handlers.onEnd(error);
    },
    answer: (status, body, headers) => {
      exchange.head(status, headers);
      exchange.data(typeof body === 'string' ? body : JSON.stringify(body));
      exchange.end();
    },
    isCancelled: () => over,
  };
  return {
    exchange,
    cancel: () => {
      over = true;
    },
  };
};

const bytesOf = (chunk: string | Uint8Array | object): Uint8Array => {
  if (chunk instanceof Uint8Array) return chunk;
  return Buffer.from(typeof chunk === 'string' ? chunk : `${JSON.stringify(chunk)}\n`);
};
