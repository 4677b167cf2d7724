import {
  createAuthority,
  type HttpsServer,
  type IncomingRequest,
  issueServerCertificate,
  type KeyPair,
  listenHttps,
  type OutgoingResponse,
  type Platform,
  PortInUseError,
  randomHex,
  type Transport,
  type TransportRequest,
} from '../platform/index.ts';
import { userOf } from './https-user.ts';

export interface HttpsFrontOptions {
  readonly platform: Platform;
  /** Where requests go, by the user that sends them: `cluster.connect`. */
  readonly connect: (userName: string) => Transport;
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** This port and no other; 0 is any free one. Absent: 6443 or the next free one. */
  readonly port?: number | undefined;
}

/** The API server as kubectl reaches it. */
export interface HttpsFront {
  /** `https://127.0.0.1:6443` */
  readonly server: string;
  /** Who may be trusted to be this server (and to vouch for clients), with its key. */
  readonly authority: KeyPair;
  /** Bearer token of the user `kubernetes-admin`. */
  readonly token: string;
  /** Ends every watch and every connection; the port is free when it resolves. */
  close(): Promise<void>;
}

const usualPort = 6443;
const portsTried = 20;

/** As kube-apiserver: larger bodies are refused with 413. */
const maxBodyBytes = 3 * 1024 * 1024;

/**
 * Serves the cluster over TLS with a certificate authority made for this run. Clients prove who they are with the
 * bearer token or with a client certificate of that authority. Rejects with a PortInUseError where the wanted port, or
 * every port tried, is taken.
 */
export const openHttpsFront = async (options: HttpsFrontOptions): Promise<HttpsFront> => {
  const { platform, connect, host = '127.0.0.1' } = options;
  const { clock, random } = platform;
  // Each run has a name of its own: where a client shows a certificate of an earlier authority under the same name,
  // Node takes the failed signature check for a broken connection, and the client never sees its 401.
  const authority = await createAuthority({ clock, commonName: `embedded-cluster-${randomHex(random, 4)}` });
  const serving = await issueServerCertificate(authority, {
    clock,
    commonName: 'kube-apiserver',
    dnsNames: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
    addresses: [...new Set(['127.0.0.1', '::1', ...(isAnyAddress(host) ? [] : [host])])],
  });
  const token = randomHex(random, 16);
  const transports = new Map<string, Transport>();
  const transportOf = (userName: string): Transport => {
    const known = transports.get(userName) ?? connect(userName);
    transports.set(userName, known);
    return known;
  };
  const listen = (port: number): Promise<HttpsServer> =>
    listenHttps({
      host,
      port,
      serving,
      clientAuthority: authority.certificate,
      maxBodyBytes,
      onRequest: (request, response) => {
        const user = userOf(request, new Map([[token, 'kubernetes-admin']]));
        return user === undefined ? refuse(response, 401) : forward(transportOf(user), request, response);
      },
    });
  const listening = options.port === undefined ? await listenFrom(usualPort, listen) : await listen(options.port);
  const shownHost = isAnyAddress(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return {
    server: `https://${shownHost}:${listening.port}`,
    authority,
    token,
    close: async () => {
      await listening.close();
      await Promise.all([...transports.values()].map((transport) => transport.close()));
    },
  };
};

const isAnyAddress = (host: string): boolean => host === '0.0.0.0' || host === '::';

const listenFrom = async (first: number, listen: (port: number) => Promise<HttpsServer>): Promise<HttpsServer> => {
  for (let port = first; ; port += 1) {
    try {
      return await listen(port);
    } catch (error) {
      if (!(error instanceof PortInUseError) || port >= first + portsTried - 1) throw error;
    }
  }
};

/** The answer goes back piece by piece, so a watch is a request like any other. */
const forward = (transport: Transport, request: IncomingRequest, response: OutgoingResponse): (() => void) => {
  const { method, path, headers, body } = request;
  if (body === undefined) return refuse(response, 413);
  if (!isServedMethod(method)) return refuse(response, 405);
  if (!isDecodable(path)) return refuse(response, 400);
  return transport.send(
    { method, path, headers, body, purpose: /[?&](?:watch|follow)=(?:true|1)(?:&|$)/.test(path) ? 'watch' : 'request' },
    {
      onHead: (head) => response.head(head.status, head.headers),
      onData: (chunk) => response.write(chunk),
      onEnd: (error) => (error === undefined ? response.end() : response.destroy()),
    },
  );
};

const isServedMethod = (method: string): method is TransportRequest['method'] =>
  ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method);

const isDecodable = (path: string): boolean => {
  try {
    decodeURIComponent(path.split('?', 1).join(''));
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
};

const refusals = {
  400: ['BadRequest', 'the path is not percent-encoded UTF-8'],
  401: ['Unauthorized', 'Unauthorized'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  413: ['RequestEntityTooLarge', `Request entity too large: limit is ${maxBodyBytes}`],
} as const;

const refuse = (response: OutgoingResponse, code: keyof typeof refusals): (() => void) => {
  const [reason, message] = refusals[code];
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  response.head(code, { 'content-type': 'application/json' });
  response.write(new TextEncoder().encode(JSON.stringify(status)));
  response.end();
  return () => undefined;
};
