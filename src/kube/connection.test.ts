import { describe, expect, it } from 'vitest';
import type { Files } from '../platform/index.ts';
import { type Connection, type LoadConnectionOptions, loadConnection } from './connection.ts';
import { KubeconfigError } from './kubeconfig-file.ts';

const pem = (what: string): string => `-----BEGIN ${what}-----\nabc\n-----END ${what}-----\n`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const aKubeconfig = (name: string, extra: { readonly cluster?: string; readonly user?: string } = {}): string => `
apiVersion: v1
kind: Config
current-context: ${name}
clusters:
- name: ${name}
  cluster:
    server: https://${name}.example:6443
    ${extra.cluster ?? ''}
users:
- name: ${name}
  user:
    ${extra.user ?? 'token: secret'}
contexts:
- name: ${name}
  context:
    cluster: ${name}
    user: ${name}
    namespace: in-${name}
`;

const filesOf = (content: Readonly<Record<string, string>>): Pick<Files, 'read'> => ({
  read: async (path) => {
    const text = content[path];
    if (text !== undefined) return Buffer.from(text);
    throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT' });
  },
});

const load = (
  content: Readonly<Record<string, string>>,
  options: Partial<LoadConnectionOptions> = { kubeconfig: '/k/config' },
): Promise<Connection> =>
  loadConnection({ files: filesOf(content), env: {}, clock: { monotonic: () => 0 }, ...options });

const refusal = async (text: string, options?: Partial<LoadConnectionOptions>): Promise<string> => {
  try {
    await load({ '/k/config': text }, options);
  } catch (error) {
    if (error instanceof KubeconfigError) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
};

describe('finding a connection', () => {
  it('takes the named kubeconfig, whatever the environment says', async () => {
    const content = { '/k/config': aKubeconfig('one'), '/home/me/.kube/config': aKubeconfig('two') };
    const connection = await load(content, {
      kubeconfig: '/k/config',
      env: { KUBECONFIG: '/home/me/.kube/config', KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' },
    });
    expect(connection).toMatchObject({
      source: 'context "one" of /k/config',
      namespace: 'in-one',
      settings: { server: 'https://one.example:6443', insecureSkipTlsVerify: false },
    });
    expect(await connection.tokens?.current()).toBe('secret');
  });

  it('merges the files of KUBECONFIG: the first to say something wins, and missing files do not matter', async () => {
    const content = {
      '/a': aKubeconfig('one'),
      '/b': `${aKubeconfig('two')}- name: one\n  context: {cluster: two, user: two}\n`,
    };
    const env = { KUBECONFIG: '/missing:/a::/b:/a' };
    expect((await load(content, { env })).settings.server).toBe('https://one.example:6443');
    expect((await load(content, { env, context: 'two' })).settings.server).toBe('https://two.example:6443');
    expect((await load(content, { env: { KUBECONFIG: '/b:/a' } })).source).toBe('context "two" of /b, /a');
  });

  it('lets entries of one file refer to those of another', async () => {
    const content = {
      '/a': 'current-context: mixed\ncontexts:\n- name: mixed\n  context: {cluster: two, user: two}\n',
      '/b': aKubeconfig('two'),
    };
    const connection = await load(content, { env: { KUBECONFIG: '/a:/b' } });
    expect([connection.settings.server, connection.namespace]).toEqual(['https://two.example:6443', 'default']);
  });

  it('takes the service account of a Pod before the file in the home folder', async () => {
    const folder = '/var/run/secrets/kubernetes.io/serviceaccount';
    const content = {
      '/home/me/.kube/config': aKubeconfig('two'),
      [`${folder}/ca.crt`]: pem('CERTIFICATE'),
      [`${folder}/namespace`]: 'system\n',
      [`${folder}/token`]: 'from-kubelet\n',
    };
    const env = { HOME: '/home/me', KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    const connection = await load(content, { env });
    expect(connection).toMatchObject({
      source: 'the service account of this Pod',
      namespace: 'system',
      settings: { server: 'https://[fd00::1]:443', ca: pem('CERTIFICATE') },
    });
    expect(await connection.tokens?.current()).toBe('from-kubelet');
    expect((await load(content, { env: { HOME: '/home/me' } })).namespace).toBe('in-two');
  });

  it('says what it looked for when there is nothing', async () => {
    await expect(load({}, { env: { HOME: '/home/me' } })).rejects.toThrow(
      'no cluster to connect to: this is not a Pod, KUBECONFIG is not set and /home/me/.kube/config does not exist; name a kubeconfig with --kubeconfig',
    );
    await expect(load({}, { env: { KUBECONFIG: '/a:/b' } })).rejects.toThrow(
      '/a, /b: KUBECONFIG names no file that exists; correct or unset it',
    );
    await expect(load({})).rejects.toThrow('/k/config: this kubeconfig cannot be read (ENOENT');
    const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };
    await expect(load({}, { env })).rejects.toThrow('this Pod has no usable service account (ENOENT');
  });
});

describe('credentials of a kubeconfig', () => {
  it('come from the file itself before other files, which are relative to it', async () => {
    const cluster = `certificate-authority-data: ${base64(pem('CERTIFICATE'))}\n    certificate-authority: ignored`;
    const user = 'client-certificate: certs/me.crt\n    client-key: /keys/me.key';
    const connection = await load({
      '/k/config': aKubeconfig('one', { cluster, user }),
      '/k/certs/me.crt': pem('CERTIFICATE'),
      '/keys/me.key': pem('PRIVATE KEY'),
    });
    expect(connection.settings).toMatchObject({
      ca: pem('CERTIFICATE'),
      cert: pem('CERTIFICATE'),
      key: pem('PRIVATE KEY'),
    });
    expect(connection.tokens).toBeUndefined();
  });

  it('prefer a tokenFile over a token', async () => {
    const content = { '/k/config': aKubeconfig('one', { user: 'token: old\n    tokenFile: t' }), '/k/t': 'new\n' };
    expect(await (await load(content)).tokens?.current()).toBe('new');
  });

  it('include the name and the trust of the server', async () => {
    const cluster = 'tls-server-name: api.example\n    insecure-skip-tls-verify: true';
    const { settings } = await load({ '/k/config': aKubeconfig('one', { cluster }) });
    expect(settings).toMatchObject({ tlsServerName: 'api.example', insecureSkipTlsVerify: true });
  });
});

describe('a kubeconfig that cannot be used is refused with what, where and what to do', () => {
  it.each([
    [
      'broken YAML',
      'clusters: [\n  {name: a\n',
      /^\/k\/config:\d+:\d+: this kubeconfig is not valid YAML \(.+\); correct it$/,
    ],
    [
      'a list',
      '- a\n',
      '/k/config:1:1: this is not a kubeconfig, which is a mapping with clusters, users and contexts',
    ],
    ['nothing', '', '/k/config: this kubeconfig has no current-context; it has no contexts'],
    [
      'no current-context',
      aKubeconfig('one').replace('current-context: one', ''),
      '/k/config: this kubeconfig has no current-context; choose one of "one"',
    ],
    [
      'clusters that are no list',
      aKubeconfig('one').replace(/clusters:[\s\S]*users:/, 'clusters: {}\nusers:'),
      '/k/config:5:11: "clusters" has to be a list; correct this kubeconfig',
    ],
    [
      'a user that does not exist',
      aKubeconfig('one').replace('user: one', 'user: me'),
      '/k/config:18:11: context "one" refers to the user "me", which does not exist; add it to "users" or correct the name',
    ],
    [
      'a context without a cluster',
      aKubeconfig('one').replace('    cluster: one\n', ''),
      '/k/config:17:5: context "one" names no cluster; add it',
    ],
    [
      'no server',
      aKubeconfig('one').replace('server: https://one.example:6443', 'x: y'),
      '/k/config:8:5: cluster "one" has no server; add its URL',
    ],
    [
      'a server that is no URL',
      aKubeconfig('one').replace('https://one.example:6443', 'one.example:6443'),
      '/k/config:8:13: the server "one.example:6443" of cluster "one" is no http or https URL; write it as https://host:port',
    ],
    [
      'a number for a token',
      aKubeconfig('one', { user: 'token: 12' }),
      '/k/config:13:12: "token" of user "one" has to be a string; put it in quotes',
    ],
    [
      'data that is not base64',
      aKubeconfig('one', { cluster: 'certificate-authority-data: "%"' }),
      '/k/config:9:33: "certificate-authority-data" of cluster "one" is not base64; copy it again',
    ],
    [
      'data that is no PEM',
      aKubeconfig('one', { cluster: `certificate-authority-data: ${base64('x')}` }),
      '/k/config:9:33: this is not PEM (it has no "-----BEGIN" line); put in the right certificate or key',
    ],
    [
      'a file that is not there',
      aKubeconfig('one', { cluster: 'certificate-authority: ca.crt' }),
      "/k/config:9:28: /k/ca.crt cannot be read (ENOENT: no such file or directory, open '/k/ca.crt'); correct the path",
    ],
    [
      'a certificate without its key',
      aKubeconfig('one', { user: `client-certificate-data: ${base64(pem('CERTIFICATE'))}` }),
      '/k/config:13:30: the user has no client-key that goes with this; add it',
    ],
    [
      'an exec plugin',
      aKubeconfig('one', { user: 'exec: {command: aws}' }),
      '/k/config:13:11: user "one" logs in with an exec plugin, which is not supported yet; use a token, a tokenFile or a client certificate',
    ],
    [
      'a proxy',
      aKubeconfig('one', { cluster: 'proxy-url: http://proxy' }),
      '/k/config:9:16: cluster "one" reaches its server through a proxy, which is not supported yet; use a direct address',
    ],
    [
      'impersonation',
      aKubeconfig('one', { user: 'as: somebody' }),
      '/k/config:13:9: user "one" impersonates another user, which is not supported; log in as that user',
    ],
  ])('%s', async (_, text, message) => {
    if (typeof message === 'string') expect(await refusal(text)).toBe(message);
    else expect(await refusal(text)).toMatch(message);
  });

  it('a context that does not exist', async () => {
    const message = await refusal(aKubeconfig('one'), { kubeconfig: '/k/config', context: 'two' });
    expect(message).toBe('/k/config: there is no context "two" in this kubeconfig; it has "one"');
  });
});
