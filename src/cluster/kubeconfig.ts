import { stringify } from 'yaml';
import type { Files } from '../platform/index.ts';

export interface KubeconfigOptions {
  /** `https://127.0.0.1:6443` */
  readonly server: string;
  /** PEM. */
  readonly certificateAuthority: string;
  /** Bearer token, or a client certificate with its key, PEM. */
  readonly user: { readonly token: string } | { readonly certificate: string; readonly key: string };
  /** Name of cluster, user and context. Default `modelserving`. */
  readonly name?: string | undefined;
  /** Namespace of commands that name none. Default `default`. */
  readonly namespace?: string | undefined;
}

/** A kubeconfig with one context. */
export const renderKubeconfig = (options: KubeconfigOptions): string => {
  const { server, certificateAuthority, user, name = 'modelserving', namespace = 'default' } = options;
  const credentials =
    'token' in user
      ? { token: user.token }
      : { 'client-certificate-data': base64(user.certificate), 'client-key-data': base64(user.key) };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, 'certificate-authority-data': base64(certificateAuthority) } }],
    users: [{ name, user: credentials }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
    'current-context': name,
  };
  // Base64 is one long word; it must not be folded.
  return stringify(config, { lineWidth: 0 });
};

/** Writes a kubeconfig that only its owner may read. Throws what the file system throws. */
export const writeKubeconfig = (files: Files, path: string, options: KubeconfigOptions): Promise<void> =>
  files.write(path, renderKubeconfig(options), 0o600);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
