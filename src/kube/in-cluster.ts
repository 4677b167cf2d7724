import type { Files } from '../platform/index.ts';

const folder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** What the kubelet gives to every Pod with a service account. */
export interface InClusterSettings {
  readonly server: string;
  readonly ca: string;
  readonly tokenFile: string;
  /** The namespace of this Pod. */
  readonly namespace: string;
}

/**
 * Undefined outside of a Pod (the two environment variables are missing). Rejects with what reading a file throws where
 * they are set but the service account is not mounted.
 */
export const inClusterSettings = async (
  files: Pick<Files, 'read'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<InClusterSettings | undefined> => {
  const host = env['KUBERNETES_SERVICE_HOST'];
  const port = env['KUBERNETES_SERVICE_PORT'];
  if (!host || !port) return undefined;
  const read = async (name: string): Promise<string> =>
    Buffer.from(await files.read(`${folder}/${name}`)).toString('utf8');
  const [ca, namespace] = await Promise.all([read('ca.crt'), read('namespace')]);
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca,
    tokenFile: `${folder}/token`,
    namespace: namespace.trim(),
  };
};
