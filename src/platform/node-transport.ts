import { type Dispatcher, Pool } from 'undici';
import type { Cancel } from './timers.ts';
import type { ResponseHandlers, Transport, TransportRequest } from './transport.ts';

export interface NodeTransportOptions {
  /** `https://host:port`, with a path if the API server stands behind one. Throws a TypeError if it is no URL. */
  readonly server: string;
  /** PEM. Absent: the certificate authorities that Node trusts. */
  readonly ca?: string | undefined;
  /** Client certificate and its key, PEM. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** Sent as a bearer token unless a request has an authorization of its own. */
  readonly token?: string | undefined;
  /** The name that the server's certificate is checked against, where it differs from the host. */
  readonly tlsServerName?: string | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
}

const headersTimeout = 30_000;

/** Whatever keeps a dead connection from being found (a NAT, a firewall) forgets it after minutes; probes come earlier. */
const keepAliveInitialDelay = 30_000;

/** Shorter than the 90 s after which the API server closes an idle connection, so that we never write into its close. */
const keepAliveTimeout = 30_000;

/** HTTP/1.1 over real sockets. Requests share a pool; watches, which never end by themselves, have one of their own. */
export const nodeTransport = (options: NodeTransportOptions): Transport => {
  const server = new URL(options.server);
  const prefix = server.pathname.replace(/\/+$/, '');
  const connect = {
    keepAlive: true,
    keepAliveInitialDelay,
    timeout: 10_000,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    ...(options.cert === undefined ? {} : { cert: options.cert }),
    ...(options.key === undefined ? {} : { key: options.key }),
    ...(options.tlsServerName === undefined ? {} : { servername: options.tlsServerName }),
    rejectUnauthorized: options.insecureSkipTlsVerify !== true,
  };
  const shared = { connect, headersTimeout, keepAliveTimeout, keepAliveMaxTimeout: keepAliveTimeout };
  const requests = new Pool(server.origin, { ...shared, connections: 32, bodyTimeout: 30_000 });
  const watches = new Pool(server.origin, { ...shared, bodyTimeout: 0 });
  const authorization = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };

  return {
    send(request, handlers) {
      const pool = request.purpose === 'watch' ? watches : requests;
      return dispatch(
        pool,
        { ...request, path: prefix + request.path, headers: { ...authorization, ...request.headers } },
        handlers,
      );
    },
    async close() {
      await Promise.all([requests.destroy(), watches.destroy()]);
    },
  };
};

const dispatch = (pool: Pool, request: TransportRequest, handlers: ResponseHandlers): Cancel => {
  let controller: Dispatcher.DispatchController | undefined;
  // After the end or a cancel nothing is called any more, whatever undici still has to say.
  let over = false;

  const end = (error?: Error): void => {
    if (over) return;
    over = true;
    handlers.onEnd(error);
  };

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started;
      if (over) started.abort(new Error('cancelled'));
    },
    onResponseStart: (_, status, headers) => {
      // 1xx answers come before the real one.
      if (!over && status >= 200) handlers.onHead({ status, headers: plainHeaders(headers) });
    },
    onResponseData: (_, chunk) => {
      if (!over) handlers.onData(chunk);
    },
    onResponseEnd: () => end(),
    onResponseError: (_, error) => end(error),
  };

  try {
    const { method, path, headers, body = null } = request;
    pool.dispatch(
      { method, path, headers, body: typeof body === 'string' ? body : body && Buffer.from(body) },
      handler,
    );
  } catch (error) {
    end(error instanceof Error ? error : new Error(String(error)));
  }
  return () => {
    over = true;
    controller?.abort(new Error('cancelled'));
  };
};

const plainHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> => {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
};
