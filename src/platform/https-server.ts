import { ServerResponse } from 'node:http';
import { constants, createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { KeyPair } from './certificates.ts';

/** A request as it came off the wire, its body whole. */
export interface IncomingRequest {
  readonly method: string;
  /** Path and query, percent-encoded, as sent. */
  readonly path: string;
  /** Names in lower case; a header sent several times is joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where it is larger than the server takes. */
  readonly body: Uint8Array | undefined;
  /** Common name of the client's certificate, where one of the trusted authority was shown. */
  readonly clientName?: string | undefined;
}

/** Where the answer goes. After the client is gone all of it does nothing. */
export interface OutgoingResponse {
  head(status: number, headers: Readonly<Record<string, string>>): void;
  write(chunk: Uint8Array): void;
  end(): void;
  /** Breaks the stream off, so that the client sees an incomplete answer. */
  destroy(): void;
}

export interface HttpsServerOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly serving: KeyPair;
  /** Client certificates of this authority are believed (PEM). */
  readonly clientAuthority?: string | undefined;
  readonly maxBodyBytes: number;
  /** Called once per request. The returned function is called if the client goes away before the answer ended. */
  onRequest(request: IncomingRequest, response: OutgoingResponse): () => void;
}

export interface HttpsServer {
  readonly port: number;
  /** Stops listening and breaks every connection off. Resolves when the port is free again. */
  close(): Promise<void>;
}

/** The port is taken by somebody else. */
export class PortInUseError extends Error {
  readonly code = 'port-in-use';
  readonly port: number;

  constructor(host: string, port: number) {
    super(`port ${port} on ${host} is in use by another program`);
    this.name = 'PortInUseError';
    this.port = port;
  }
}

/** A client that lets this much pile up is not reading any more. */
const maxUnsentBytes = 64 * 1024 * 1024;

/**
 * An HTTPS server that speaks HTTP/2 and HTTP/1.1. Rejects with a PortInUseError where the port is taken, and with
 * what Node reports for any other reason not to listen.
 */
export const listenHttps = (options: HttpsServerOptions): Promise<HttpsServer> => {
  const { host, port, serving, clientAuthority, maxBodyBytes, onRequest } = options;
  const server = createSecureServer({
    allowHTTP1: true,
    cert: serving.certificate,
    key: serving.key,
    ...(clientAuthority === undefined ? {} : { ca: clientAuthority, requestCert: true, rejectUnauthorized: false }),
  });
  const sockets = new Set<TLSSocket>();
  server.on('secureConnection', (socket: TLSSocket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A reset connection is the client's business; its requests learn of it through `close`.
    socket.on('error', () => socket.destroy());
  });
  server.on('sessionError', () => undefined);
  server.on('request', (request, response) => {
    readBody(request, maxBodyBytes, (body) => {
      const answer = createAnswer(response);
      const { method, url: path } = request;
      const cancel = onRequest(
        { method, path, headers: headersOf(request), body, clientName: clientNameOf(request) },
        answer,
      );
      // Not the request's `close`: that fires as soon as the body has been read.
      response.on('close', () => {
        if (answer.close() === 'early') cancel();
      });
    });
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortInUseError(host, port) : error),
    );
    server.listen(port, host, () => {
      resolve({
        port: (server.address() as AddressInfo).port,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            for (const socket of sockets) socket.destroy();
          }),
      });
    });
  });
};

const readBody = (
  request: Http2ServerRequest,
  maxBytes: number,
  done: (body: Uint8Array | undefined) => void,
): void => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  request.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
    if (bytes <= maxBytes) chunks.push(chunk);
  });
  request.on('end', () => done(bytes <= maxBytes ? Buffer.concat(chunks) : undefined));
};

const headersOf = (request: Http2ServerRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined || name.startsWith(':') ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );

const clientNameOf = (request: Http2ServerRequest): string | undefined => {
  const socket = request.httpVersionMajor === 2 ? request.stream.session?.socket : request.socket;
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  return socket.getPeerCertificate().subject?.CN;
};

/** Node types the handler for HTTP/2 alone, but with `allowHTTP1` it gets either. */
type AnyResponse = Http2ServerResponse | ServerResponse;

/** An answer under way. `close` says whether the client left before the end. */
const createAnswer = (response: AnyResponse): OutgoingResponse & { close(): 'early' | 'complete' } => {
  const body: Writable = response;
  let state: 'open' | 'ended' | 'closed' = 'open';
  return {
    head(status, headers) {
      if (state !== 'open') return;
      response.writeHead(status, headers);
      // A watch may have nothing to say for minutes, and its client waits for the status. HTTP/2 sends it at once.
      if (response instanceof ServerResponse) response.flushHeaders();
    },
    write(chunk) {
      if (state !== 'open') return;
      body.write(chunk);
      if (body.writableLength > maxUnsentBytes) breakOff(response);
    },
    end() {
      if (state !== 'open') return;
      state = 'ended';
      response.end();
    },
    destroy() {
      if (state !== 'open') return;
      state = 'ended';
      breakOff(response);
    },
    close() {
      const when = state === 'open' ? 'early' : 'complete';
      state = 'closed';
      return when;
    },
  };
};

/** Of an HTTP/2 response only the stream is reset; the connection serves on. */
const breakOff = (response: AnyResponse): void => {
  if (response instanceof ServerResponse) response.destroy();
  else response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
};
