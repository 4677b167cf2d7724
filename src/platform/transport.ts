import type { Cancel } from './timers.ts';

/** An HTTP request to one API server. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, starting with `/`, already percent-encoded. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  /** A watch lives long and gets a connection of its own, so that it never holds up a request. */
  readonly purpose: 'request' | 'watch';
}

export interface ResponseHead {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Called in the order head, data (any number of times), end; after an error or a cancel nothing is called any more. */
export interface ResponseHandlers {
  onHead(head: ResponseHead): void;
  onData(chunk: Uint8Array): void;
  /** Without an error the response is whole; with one, whatever came before may be cut short. */
  onEnd(error?: Error): void;
}

/**
 * A way to reach one API server. TLS and sockets end here, so framing, decoding, retries and watches above it run the
 * same on a virtual network.
 */
export interface Transport {
  /** Sends a request. Never throws: what goes wrong arrives at `onEnd`. The returned function aborts it silently. */
  send(request: TransportRequest, handlers: ResponseHandlers): Cancel;
  /** Closes idle connections and aborts what is under way. */
  close(): Promise<void>;
}
