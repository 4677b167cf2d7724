import { delimiter, join } from 'node:path';
import type { Clock, Files, NodeTransportOptions, Transport } from '../platform/index.ts';
import { authorizedTransport } from './authorized-transport.ts';
import { inClusterSettings } from './in-cluster.ts';
import { type KubeconfigContext, type Material, selectContext } from './kubeconfig.ts';
import { KubeconfigError, type KubeconfigFile, parseKubeconfigFile } from './kubeconfig-file.ts';
import { fileToken, staticToken, type TokenSource } from './token-source.ts';

export interface LoadConnectionOptions {
  readonly files: Pick<Files, 'read'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The one kubeconfig to use, as `--kubeconfig` names it. */
  readonly kubeconfig?: string | undefined;
  /** Instead of the current-context. */
  readonly context?: string | undefined;
}

/** All that is needed to reach an API server. */
export interface Connection {
  /** For people: where this connection was found. */
  readonly source: string;
  /** What the transport is made of, without the token. */
  readonly settings: NodeTransportOptions;
  readonly tokens: TokenSource | undefined;
  /** The namespace of the context or of this Pod; `default` where none is named. */
  readonly namespace: string;
}

/**
 * Finds a connection as controllers do: the kubeconfig that is named, else those in KUBECONFIG, else the service account
 * of this Pod, else `~/.kube/config`. Rejects with a KubeconfigError that says what is wrong, where, and what to do.
 */
export const loadConnection = async (options: LoadConnectionOptions): Promise<Connection> => {
  const { files, env, kubeconfig } = options;
  if (kubeconfig !== undefined) return fromFiles(options, [await readFile(files, kubeconfig)]);
  const listed = [...new Set((env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== ''))];
  if (listed.length > 0) {
    const found = (await Promise.all(listed.map((path) => readIfThere(files, path)))).filter(
      (file) => file !== undefined,
    );
    if (found.length > 0) return fromFiles(options, found);
    throw new KubeconfigError(`${listed.join(', ')}: KUBECONFIG names no file that exists; correct or unset it`);
  }
  const fromPod = await inCluster(options);
  if (fromPod !== undefined) return fromPod;
  const path = join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.kube', 'config');
  const home = await readIfThere(files, path);
  if (home !== undefined) return fromFiles(options, [home]);
  throw new KubeconfigError(
    `no cluster to connect to: this is not a Pod, KUBECONFIG is not set and ${path} does not exist; name a kubeconfig with --kubeconfig`,
  );
};

/** A transport over a connection, its token on every request. */
export const connect = (
  connection: Connection,
  createTransport: (settings: NodeTransportOptions) => Transport,
): Transport => {
  const transport = createTransport(connection.settings);
  return connection.tokens === undefined ? transport : authorizedTransport(transport, connection.tokens);
};

const inCluster = async (options: LoadConnectionOptions): Promise<Connection | undefined> => {
  const { files, env, clock } = options;
  let settings: Awaited<ReturnType<typeof inClusterSettings>>;
  try {
    settings = await inClusterSettings(files, env);
  } catch (cause) {
    const what = `this Pod has no usable service account (${messageOf(cause)})`;
    throw new KubeconfigError(`${what}; set automountServiceAccountToken or name a kubeconfig`, { cause });
  }
  if (settings === undefined) return undefined;
  return {
    source: 'the service account of this Pod',
    settings: { server: settings.server, ca: settings.ca },
    tokens: fileToken({ files, clock, path: settings.tokenFile }),
    namespace: settings.namespace,
  };
};

const fromFiles = async (options: LoadConnectionOptions, found: readonly KubeconfigFile[]): Promise<Connection> => {
  const { files, clock } = options;
  const context = selectContext(found, options.context);
  const [ca, cert, key] = await Promise.all(
    [context.ca, context.clientCertificate, context.clientKey].map((material) => pemOf(files, material)),
  );
  requirePair(context);
  return {
    source: `context "${context.name}" of ${found.map((file) => file.path).join(', ')}`,
    settings: {
      server: context.server,
      ca,
      cert,
      key,
      tlsServerName: context.tlsServerName,
      insecureSkipTlsVerify: context.insecureSkipTlsVerify,
    },
    tokens: tokensOf(context, files, clock),
    namespace: context.namespace ?? 'default',
  };
};

const tokensOf = (
  { token }: KubeconfigContext,
  files: Pick<Files, 'read'>,
  clock: Pick<Clock, 'monotonic'>,
): TokenSource | undefined => {
  if (token === undefined) return undefined;
  return 'file' in token ? fileToken({ files, clock, path: token.file }) : staticToken(token.text);
};

const requirePair = ({ clientCertificate, clientKey }: KubeconfigContext): void => {
  if ((clientCertificate === undefined) === (clientKey === undefined)) return;
  const [there, missing] =
    clientKey === undefined ? [clientCertificate, 'client-key'] : [clientKey, 'client-certificate'];
  throw new KubeconfigError(`${there?.where}: the user has no ${missing} that goes with this; add it`);
};

const pemOf = async (files: Pick<Files, 'read'>, material: Material | undefined): Promise<string | undefined> => {
  if (material === undefined) return undefined;
  if ('pem' in material) return checkPem(material.pem, material.where);
  let text: string;
  try {
    text = Buffer.from(await files.read(material.file)).toString('utf8');
  } catch (cause) {
    const why = messageOf(cause);
    throw new KubeconfigError(`${material.where}: ${material.file} cannot be read (${why}); correct the path`, {
      cause,
    });
  }
  return checkPem(text, material.where);
};

const checkPem = (text: string, where: string): string => {
  if (text.includes('-----BEGIN ')) return text;
  throw new KubeconfigError(
    `${where}: this is not PEM (it has no "-----BEGIN" line); put in the right certificate or key`,
  );
};

const readFile = async (files: Pick<Files, 'read'>, path: string): Promise<KubeconfigFile> => {
  let text: string;
  try {
    text = Buffer.from(await files.read(path)).toString('utf8');
  } catch (cause) {
    throw new KubeconfigError(`${path}: this kubeconfig cannot be read (${messageOf(cause)})`, { cause });
  }
  return parseKubeconfigFile(path, text);
};

const readIfThere = async (files: Pick<Files, 'read'>, path: string): Promise<KubeconfigFile | undefined> => {
  try {
    return await readFile(files, path);
  } catch (error) {
    const cause: unknown = error instanceof Error ? error.cause : undefined;
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw error;
  }
};

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
