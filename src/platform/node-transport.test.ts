import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { afterEach, describe, expect, it } from 'vitest';
import { type NodeTransportOptions, nodeTransport } from './node-transport.ts';
import type { ResponseHead, Transport, TransportRequest } from './transport.ts';

const get = (path: string, extra: Partial<TransportRequest> = {}): TransportRequest => ({
  method: 'GET',
  path,
  headers: {},
  purpose: 'request',
  ...extra,
});

interface Answer {
  readonly head: ResponseHead | undefined;
  readonly body: string;
  readonly error: Error | undefined;
}

const exchange = (transport: Transport, request: TransportRequest): Promise<Answer> =>
  new Promise((resolve) => {
    let head: ResponseHead | undefined;
    let body = '';
    transport.send(request, {
      onHead: (received) => {
        head = received;
      },
      onData: (chunk) => {
        body += Buffer.from(chunk).toString();
      },
      onEnd: (error) => resolve({ head, body, error }),
    });
  });

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

const listening = async (server: Server, scheme: 'http' | 'https'): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

const serving = (listener: Listener): Promise<string> => listening(createServer(listener), 'http');

const connected = (options: NodeTransportOptions): Transport => {
  const transport = nodeTransport(options);
  cleanUp.push(() => transport.close());
  return transport;
};

describe('the transport of Node', () => {
  it('sends method, path, headers and body, and hands out head, body and end', async () => {
    const server = await serving((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += String(chunk);
      });
      request.on('end', () => {
        response.setHeader('X-Two', ['a', 'b']);
        response.writeHead(201);
        response.end(`${request.method} ${request.url} ${request.headers['x-one']} ${body}`);
      });
    });
    const transport = connected({ server });
    const answer = await exchange(
      transport,
      get('/a?b=c', { method: 'POST', headers: { 'x-one': '1' }, body: 'grüß' }),
    );
    expect(answer).toMatchObject({ body: 'POST /a?b=c 1 grüß', error: undefined });
    expect(answer.head?.status).toBe(201);
    expect(answer.head?.headers['x-two']).toBe('a, b');
  });

  it('uses connections again for requests that follow each other, and gives a watch its own', async () => {
    const sockets = new Set<unknown>();
    const server = await serving((request, response) => {
      sockets.add(request.socket);
      if (request.url === '/watch') response.write('open');
      else response.end('ok');
    });
    const transport = connected({ server });
    const opened = new Promise<void>((resolve) => {
      transport.send(get('/watch', { purpose: 'watch' }), {
        onHead: () => undefined,
        onData: () => resolve(),
        onEnd: () => undefined,
      });
    });
    await opened;
    for (let i = 0; i < 20; i++) await exchange(transport, get('/'));
    // undici offers a socket again a tick after its answer has ended, so two take turns.
    expect(sockets.size).toBeLessThanOrEqual(3);
  });

  it('puts the path of the server before every path, and the token into every request', async () => {
    const server = await serving((request, response) => {
      response.end(`${request.url} ${request.headers.authorization}`);
    });
    const transport = connected({ server: `${server}/clusters/one/`, token: 'secret' });
    expect((await exchange(transport, get('/api'))).body).toBe('/clusters/one/api Bearer secret');
    const own = get('/api', { headers: { authorization: 'Bearer other' } });
    expect((await exchange(transport, own)).body).toBe('/clusters/one/api Bearer other');
  });

  it('says at the end that nobody listens', async () => {
    const server = await serving((_, response) => response.end());
    for (const step of cleanUp.splice(0)) await step();
    const answer = await exchange(connected({ server }), get('/'));
    expect(answer.error).toMatchObject({ code: 'ECONNREFUSED' });
    expect(answer.head).toBeUndefined();
  });

  it('says at the end that the answer was cut short', async () => {
    const server = await serving((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    const answer = await exchange(connected({ server }), get('/'));
    expect(answer.body).toBe('half');
    expect(answer.error).toBeInstanceOf(Error);
  });

  it('is silent after a cancel, and the server sees the connection go', async () => {
    let closed: () => void = () => undefined;
    const seen = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const server = await serving((_, response) => {
      response.write('open');
      response.on('close', closed);
    });
    const calls: string[] = [];
    const transport = connected({ server });
    await new Promise<void>((resolve) => {
      const cancel = transport.send(get('/', { purpose: 'watch' }), {
        onHead: () => calls.push('head'),
        onData: () => {
          calls.push('data');
          cancel();
          cancel();
          resolve();
        },
        onEnd: () => calls.push('end'),
      });
    });
    await seen;
    expect(calls).toEqual(['head', 'data']);
  });

  it('is silent after a cancel before anything was sent', async () => {
    const server = await serving((_, response) => response.end('late'));
    const transport = connected({ server });
    const calls: string[] = [];
    const note = (what: string) => (): void => {
      calls.push(what);
    };
    transport.send(get('/'), { onHead: note('head'), onData: note('data'), onEnd: note('end') })();
    expect((await exchange(transport, get('/'))).body).toBe('late');
    expect(calls).toEqual([]);
  });

  it('ends what is under way when it is closed, and refuses what comes later, without throwing', async () => {
    let arrived: () => void = () => undefined;
    const seen = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const server = await serving(() => arrived());
    const transport = connected({ server });
    const underWay = exchange(transport, get('/'));
    await seen;
    await transport.close();
    expect((await underWay).error).toBeInstanceOf(Error);
    expect((await exchange(transport, get('/'))).error).toBeInstanceOf(Error);
  });

  it('never throws on a request that HTTP does not allow', async () => {
    const server = await serving((_, response) => response.end());
    const answer = await exchange(connected({ server }), get('/with space'));
    expect(answer.error).toBeInstanceOf(Error);
  });
});

describe('TLS of the transport', () => {
  const aCertificate = (name: string): ReturnType<typeof generate> =>
    generate([{ name: 'commonName', value: name }], {
      keyType: 'ec',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
    });

  const secure = async (name: string): Promise<{ readonly server: string; readonly ca: string }> => {
    const { cert, private: key } = await aCertificate(name);
    const tls = createTlsServer({ key, cert, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      const peer =
        'getPeerCertificate' in request.socket ? (request.socket as import('node:tls').TLSSocket) : undefined;
      response.end(`hello ${peer?.getPeerCertificate().subject?.CN ?? 'nobody'}`);
    });
    return { server: await listening(tls, 'https'), ca: cert };
  };

  it('trusts the given authority for the given name', async () => {
    const { server, ca } = await secure('api.example');
    const answer = await exchange(connected({ server, ca, tlsServerName: 'api.example' }), get('/'));
    expect([answer.body, answer.error]).toEqual(['hello nobody', undefined]);
  });

  it('refuses another name and an unknown authority', async () => {
    const { server, ca } = await secure('api.example');
    const wrongName = await exchange(connected({ server, ca }), get('/'));
    expect(wrongName.error).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    const unknown = await exchange(connected({ server, tlsServerName: 'api.example' }), get('/'));
    expect(unknown.error).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });

  it('trusts anybody where verification is switched off', async () => {
    const { server } = await secure('api.example');
    const answer = await exchange(connected({ server, insecureSkipTlsVerify: true }), get('/'));
    expect(answer.body).toBe('hello nobody');
  });

  it('shows the client certificate', async () => {
    const { server, ca } = await secure('api.example');
    const { cert, private: key } = await aCertificate('operator');
    const answer = await exchange(connected({ server, ca, cert, key, tlsServerName: 'api.example' }), get('/'));
    expect(answer.body).toBe('hello operator');
  });
});
