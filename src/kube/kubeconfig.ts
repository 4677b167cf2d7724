import { dirname, resolve } from 'node:path';
import { asRecord, KubeconfigError, type KubeconfigFile } from './kubeconfig-file.ts';

/** What a context of a kubeconfig says about a connection. Files are named, not read yet. */
export interface KubeconfigContext {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly server: string;
  readonly ca: Material | undefined;
  readonly clientCertificate: Material | undefined;
  readonly clientKey: Material | undefined;
  /** A token, or the absolute path of a file that holds it. The file wins, as in kubectl. */
  readonly token: { readonly text: string } | { readonly file: string } | undefined;
  readonly tlsServerName: string | undefined;
  readonly insecureSkipTlsVerify: boolean;
}

/** A certificate or key: PEM as it stands in the kubeconfig, or the absolute path of a file. `where` is for messages. */
export type Material =
  | { readonly pem: string; readonly where: string }
  | { readonly file: string; readonly where: string };

/**
 * The context to use, from one or more files in order of precedence. As in kubectl: of two entries of one name the
 * first file's counts, and so does the first `current-context`; paths are relative to the file that names them.
 *
 * Throws a KubeconfigError for what is missing, malformed or not supported.
 */
export const selectContext = (
  files: readonly KubeconfigFile[],
  contextName?: string | undefined,
): KubeconfigContext => {
  const name = contextName ?? currentContext(files);
  const context = find(files, 'contexts', name);
  if (context === undefined) {
    const known = names(files, 'contexts');
    const choice = known.length === 0 ? 'it has no contexts' : `it has ${known.join(', ')}`;
    throw new KubeconfigError(`${pathsOf(files)}: there is no context "${name}" in this kubeconfig; ${choice}`);
  }
  const cluster = referred(files, context, 'clusters', 'cluster');
  const user = referred(files, context, 'users', 'user');
  refuseUnsupported(cluster, user);
  const token = user.text('token');
  const tokenFile = user.file('tokenFile');
  return {
    name,
    namespace: context.text('namespace'),
    server: serverOf(cluster),
    ca: cluster.material('certificate-authority'),
    clientCertificate: user.material('client-certificate'),
    clientKey: user.material('client-key'),
    token: tokenFile !== undefined ? { file: tokenFile } : token !== undefined ? { text: token } : undefined,
    tlsServerName: cluster.text('tls-server-name'),
    insecureSkipTlsVerify: cluster.flag('insecure-skip-tls-verify'),
  };
};

type Section = 'clusters' | 'contexts' | 'users';

/** One named entry, with readers that complain about a wrong type at the right place. */
interface Entry {
  readonly label: string;
  has(field: string): boolean;
  text(field: string): string | undefined;
  flag(field: string): boolean;
  /** A path, made absolute. */
  file(field: string): string | undefined;
  /** `field`-data (base64) or `field` (a file); the data wins, as in kubectl. */
  material(field: string): Material | undefined;
  where(field?: string): string;
}

const bodyOf: Readonly<Record<Section, 'cluster' | 'context' | 'user'>> = {
  clusters: 'cluster',
  contexts: 'context',
  users: 'user',
};

const entriesOf = (file: KubeconfigFile, section: Section): readonly unknown[] => {
  const entries = file.value[section] ?? [];
  if (Array.isArray(entries)) return entries;
  throw new KubeconfigError(`${file.where([section])}: "${section}" has to be a list; correct this kubeconfig`);
};

const find = (files: readonly KubeconfigFile[], section: Section, name: string): Entry | undefined => {
  for (const file of files) {
    const index = entriesOf(file, section).findIndex((entry) => asRecord(entry)['name'] === name);
    if (index >= 0) return entryAt(file, section, index);
  }
  return undefined;
};

const names = (files: readonly KubeconfigFile[], section: Section): readonly string[] => [
  ...new Set(files.flatMap((file) => entriesOf(file, section).map((entry) => `"${asRecord(entry)['name']}"`))),
];

const entryAt = (file: KubeconfigFile, section: Section, index: number): Entry => {
  const body = bodyOf[section];
  const entry = asRecord(entriesOf(file, section)[index]);
  const fields = asRecord(entry[body]);
  const label = `${body} "${entry['name']}"`;
  const where = (field?: string): string => file.where([section, index, body, ...(field === undefined ? [] : [field])]);

  const text = (field: string): string | undefined => {
    const value = fields[field];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value === 'string') return value;
    throw new KubeconfigError(`${where(field)}: "${field}" of ${label} has to be a string; put it in quotes`);
  };
  const path = (field: string): string | undefined => {
    const value = text(field);
    return value === undefined ? undefined : resolve(dirname(file.path), value);
  };

  return {
    label,
    where,
    text,
    file: path,
    has: (field) => fields[field] !== undefined && fields[field] !== null && fields[field] !== '',
    flag: (field) => fields[field] === true,
    material: (field) => {
      const data = text(`${field}-data`);
      if (data !== undefined)
        return {
          pem: decode(data, `${where(`${field}-data`)}: "${field}-data" of ${label}`),
          where: where(`${field}-data`),
        };
      const named = path(field);
      return named === undefined ? undefined : { file: named, where: where(field) };
    },
  };
};

const decode = (data: string, what: string): string => {
  const compact = data.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw new KubeconfigError(`${what} is not base64; copy it again`);
  return Buffer.from(compact, 'base64').toString('utf8');
};

const currentContext = (files: readonly KubeconfigFile[]): string => {
  for (const file of files) {
    const name = file.value['current-context'];
    if (typeof name === 'string' && name !== '') return name;
  }
  const known = names(files, 'contexts');
  const choice = known.length === 0 ? 'it has no contexts' : `choose one of ${known.join(', ')}`;
  throw new KubeconfigError(`${pathsOf(files)}: this kubeconfig has no current-context; ${choice}`);
};

const pathsOf = (files: readonly KubeconfigFile[]): string => files.map((file) => file.path).join(', ');

const referred = (
  files: readonly KubeconfigFile[],
  context: Entry,
  section: 'clusters' | 'users',
  field: 'cluster' | 'user',
): Entry => {
  const name = context.text(field);
  if (name === undefined) throw new KubeconfigError(`${context.where()}: ${context.label} names no ${field}; add it`);
  const found = find(files, section, name);
  if (found !== undefined) return found;
  throw new KubeconfigError(
    `${context.where(field)}: ${context.label} refers to the ${field} "${name}", which does not exist; add it to "${section}" or correct the name`,
  );
};

const serverOf = (cluster: Entry): string => {
  const server = cluster.text('server');
  if (server === undefined) {
    throw new KubeconfigError(`${cluster.where()}: ${cluster.label} has no server; add its URL`);
  }
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url !== undefined && (url.protocol === 'https:' || url.protocol === 'http:')) return server;
  throw new KubeconfigError(
    `${cluster.where('server')}: the server "${server}" of ${cluster.label} is no http or https URL; write it as https://host:port`,
  );
};

/** What would change who we are or how we connect is refused rather than ignored. */
const refuseUnsupported = (cluster: Entry, user: Entry): void => {
  const instead = 'use a token, a tokenFile or a client certificate';
  const refusals: readonly (readonly [Entry, string, string])[] = [
    [cluster, 'proxy-url', 'reaches its server through a proxy, which is not supported yet; use a direct address'],
    [user, 'exec', `logs in with an exec plugin, which is not supported yet; ${instead}`],
    [user, 'auth-provider', `logs in with an auth-provider, which Kubernetes has removed; ${instead}`],
    [user, 'username', `logs in with a user name and password, which Kubernetes has removed; ${instead}`],
    [user, 'as', 'impersonates another user, which is not supported; log in as that user'],
    [user, 'as-uid', 'impersonates another user, which is not supported; log in as that user'],
    [user, 'as-groups', 'impersonates groups, which is not supported; log in as a member'],
  ];
  for (const [entry, field, why] of refusals) {
    if (entry.has(field)) throw new KubeconfigError(`${entry.where(field)}: ${entry.label} ${why}`);
  }
};
