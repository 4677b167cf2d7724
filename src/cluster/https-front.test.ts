import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  issueClientCertificate,
  nodeFiles,
  nodePlatform,
  nodeTransport,
  PortInUseError,
  type Transport,
} from '../platform/index.ts';
import { type HttpsFront, openHttpsFront } from './https-front.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { createApiServer } from './server/index.ts';
import { kubectlExtensions } from './server/kubectl/extensions.ts';

const platform = nodePlatform();
const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const serve = async (port = 0): Promise<HttpsFront> => {
  const server = createApiServer({ platform, extensions: kubectlExtensions(platform.clock) });
  const front = await openHttpsFront({ platform, connect: server.connect, port });
  opened.push(front.close);
  return front;
};

const client = (
  front: HttpsFront,
  credentials: Partial<Parameters<typeof nodeTransport>[0]> = { token: front.token },
): Transport => {
  const transport = nodeTransport({ server: front.server, ca: front.authority.certificate, ...credentials });
  opened.push(() => transport.close());
  return transport;
};

interface Answer {
  readonly status: number;
  readonly text: string;
}

const send = (
  transport: Transport,
  path: string,
  more: Partial<Parameters<Transport['send']>[0]> = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let status = 0;
    const chunks: Uint8Array[] = [];
    transport.send(
      { method: 'GET', path, headers: {}, purpose: 'request', ...more },
      {
        onHead: (head) => {
          status = head.status;
        },
        onData: (chunk) => chunks.push(chunk),
        onEnd: (error) => (error ? reject(error) : resolve({ status, text: Buffer.concat(chunks).toString() })),
      },
    );
  });

const whoAmI = async (transport: Transport, headers: Readonly<Record<string, string>> = {}): Promise<unknown> => {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const { text } = await send(transport, path, { method: 'POST', body: '{}', headers });
  return JSON.parse(text);
};
const named = (username: string): object => ({ status: { userInfo: { username } } });

describe('the HTTPS front', () => {
  it('knows a user by the token, by a client certificate, and by impersonation', async () => {
    const front = await serve();
    expect(await whoAmI(client(front))).toMatchObject(named('kubernetes-admin'));
    const bob = await issueClientCertificate(front.authority, { clock: platform.clock, commonName: 'bob' });
    expect(await whoAmI(client(front, { cert: bob.certificate, key: bob.key }))).toMatchObject(named('bob'));
    expect(await whoAmI(client(front), { 'impersonate-user': 'eve' })).toMatchObject(named('eve'));
  });

  it('answers 401 to a wrong token, to none, and to a certificate of somebody else', async () => {
    const front = await serve();
    const other = await serve();
    const stranger = await issueClientCertificate(other.authority, { clock: platform.clock, commonName: 'bob' });
    for (const credentials of [{ token: 'guess' }, {}, { cert: stranger.certificate, key: stranger.key }]) {
      const { status, text } = await send(client(front, credentials), '/api/v1/namespaces');
      expect(status).toBe(401);
      expect(JSON.parse(text)).toMatchObject({ kind: 'Status', reason: 'Unauthorized', code: 401 });
    }
    expect(await send(client(front, {}), '/readyz')).toEqual({ status: 200, text: 'ok' });
  });

  it('streams a watch as it happens, and ends it when it closes', async () => {
    const front = await serve();
    const transport = client(front);
    let text = '';
    let seen = (): void => undefined;
    const sawLate = new Promise<void>((resolve) => {
      seen = resolve;
    });
    const ended = new Promise<Error | undefined>((resolve) => {
      transport.send(
        { method: 'GET', path: '/api/v1/namespaces?watch=true', headers: {}, purpose: 'watch' },
        {
          onHead: () => undefined,
          onData: (chunk) => {
            text += Buffer.from(chunk).toString();
            if (text.includes('"late"')) seen();
          },
          onEnd: resolve,
        },
      );
    });
    const late = JSON.stringify({ metadata: { name: 'late' } });
    const headers = { 'content-type': 'application/json' };
    // Closed only when this is answered: the event of the watch may be here first.
    expect((await send(transport, '/api/v1/namespaces', { method: 'POST', body: late, headers })).status).toBe(201);
    await sawLate;
    await front.close();
    expect(await ended).toBeInstanceOf(Error);
    expect(text).toContain('"type":"ADDED"');
  });

  it('lets go of a watch whose client has left', async () => {
    const server = createApiServer({ platform });
    const cancelled = new Promise<void>((resolve) => {
      const counting = (userName: string): Transport => {
        const inner = server.connect(userName);
        return {
          close: inner.close,
          send: (request, handlers) => {
            const cancel = inner.send(request, handlers);
            return () => {
              cancel();
              resolve();
            };
          },
        };
      };
      void openHttpsFront({ platform, connect: counting, port: 0 }).then((front) => {
        opened.push(front.close);
        const leave = client(front).send(
          { method: 'GET', path: '/api/v1/pods?watch=1', headers: {}, purpose: 'watch' },
          { onHead: () => leave(), onData: () => undefined, onEnd: () => undefined },
        );
      });
    });
    await cancelled;
  });

  it('speaks HTTP/2 to clients that ask for it, several requests at once over one connection', async () => {
    const front = await serve();
    const session = connectHttp2(front.server, { ca: front.authority.certificate });
    const get = (path: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const stream = session.request({ ':path': path, authorization: `Bearer ${front.token}` });
        let text = '';
        stream.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        stream.on('end', () => resolve(JSON.parse(text))).on('error', reject);
      });
    const answers = await Promise.all(['/version', '/api/v1/namespaces', '/apis'].map(get));
    expect(answers).toMatchObject([{ gitVersion: 'v1.34.4' }, { kind: 'NamespaceList' }, { kind: 'APIGroupList' }]);
    await new Promise<void>((resolve) => session.close(resolve));
  });

  it('refuses what it cannot take: bodies over 3 MiB, broken paths, other methods', async () => {
    const front = await serve();
    const transport = client(front);
    const large = { method: 'POST', body: 'x'.repeat(3 * 1024 * 1024 + 1) } as const;
    expect((await send(transport, '/api/v1/namespaces', large)).status).toBe(413);
    expect((await send(transport, '/api/v1/namespaces/%E0%A4%A')).status).toBe(400);
  });

  it('says clearly that a port is taken, and takes the next one where none was wished for', async () => {
    const first = await serve();
    const taken = Number(new URL(first.server).port);
    await expect(serve(taken)).rejects.toThrow(`port ${taken} on 127.0.0.1 is in use by another program`);
    await expect(serve(taken)).rejects.toBeInstanceOf(PortInUseError);
    await first.close();
    expect((await serve(taken)).server).toBe(first.server);
  });

  it('is described by a kubeconfig that only its owner may read', async () => {
    const front = await serve();
    const folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
    opened.push(() => rm(folder, { recursive: true }));
    const path = join(folder, 'deep', 'config');
    const user = { token: front.token };
    await writeKubeconfig(nodeFiles(), path, {
      server: front.server,
      certificateAuthority: front.authority.certificate,
      user,
    });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const config = parse(await readFile(path, 'utf8'));
    expect(config).toMatchObject({
      'current-context': 'modelserving',
      users: [{ user }],
      clusters: [{ cluster: { server: front.server } }],
    });
    const authority = Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64').toString();
    expect(authority).toBe(front.authority.certificate);
  });
});
