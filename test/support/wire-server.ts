import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WireExchange {
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
  readonly response: ServerResponse;
  /** Writes and waits until the bytes have left this process. */
  write(chunk: string | Uint8Array): Promise<void>;
  answer(status: number, body: unknown, headers?: Readonly<Record<string, string>>): void;
}

/** An HTTP server on a real socket whose answers the test writes byte by byte. */
export interface WireServer {
  readonly url: string;
  /** The next request that nobody has taken yet; waits for it. */
  next(): Promise<WireExchange>;
  /** How many requests came in so far. */
  count(): number;
  close(): Promise<void>;
}

export const startWireServer = async (): Promise<WireServer> => {
  const arrived: WireExchange[] = [];
  const waiting: ((exchange: WireExchange) => void)[] = [];
  let count = 0;

  const server = createServer({ noDelay: true }, (request, response) => {
    count++;
    const exchange: WireExchange = {
      request,
      response,
      query: new URL(request.url ?? '/', 'http://server').searchParams,
      write: (chunk) =>
        new Promise((resolve, reject) => {
          response.write(chunk, (error) => (error ? reject(error) : resolve()));
        }),
      answer: (status, body, headers = {}) => {
        response.writeHead(status, headers);
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      },
    };
    const taker = waiting.shift();
    if (taker === undefined) arrived.push(exchange);
    else taker(exchange);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    next: () => {
      const exchange = arrived.shift();
      return exchange === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(exchange);
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
};
