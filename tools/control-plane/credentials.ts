import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { generate } from 'selfsigned';
import { type Bed, inBed, kubeconfigOf } from './bed.ts';

interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

const years = 10;
const notAfterDate = (): Date => new Date(Date.now() + years * 365 * 24 * 3600 * 1000);

const authority = async (): Promise<KeyPair> => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'control-plane-ca' }], {
    keyType: 'ec',
    // selfsigned's own default is SHA-1, which Go refuses.
    algorithm: 'sha256',
    notAfterDate: notAfterDate(),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, digitalSignature: true, critical: true },
    ],
  });
  return { key, cert };
};

const leaf = async (
  ca: KeyPair,
  attributes: { name: string; value: string }[],
  names: readonly string[],
): Promise<KeyPair> => {
  const { private: key, cert } = await generate(attributes, {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: notAfterDate(),
    ca,
    extensions: [
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) => (/^[0-9.]+$/.test(name) ? { type: 7, ip: name } : { type: 2, value: name })),
      },
    ],
  });
  return { key, cert };
};

/** Who may log in: file name of the kubeconfig, user name and groups as the API server sees them. */
const users = [
  { file: 'admin', name: 'admin', groups: 'system:masters' },
  { file: 'controller-manager', name: 'system:kube-controller-manager', groups: '' },
  { file: 'scheduler', name: 'system:kube-scheduler', groups: '' },
  { file: 'node', name: 'system:node:n1', groups: 'system:nodes' },
] as const;

const kubeconfig = (bed: Bed, ca: string, token: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'control-plane',
        cluster: {
          server: `https://127.0.0.1:${bed.ports.api}`,
          'certificate-authority-data': Buffer.from(ca).toString('base64'),
        },
      },
    ],
    users: [{ name: 'user', user: { token } }],
    contexts: [{ name: 'control-plane', context: { cluster: 'control-plane', user: 'user' } }],
    'current-context': 'control-plane',
  });

/** Writes the certificates, the service account keys, the token file and one kubeconfig a user into the bed's folder. */
export const writeCredentials = async (bed: Bed): Promise<void> => {
  const write = (name: string, content: string): void => writeFileSync(inBed(bed, name), content, { mode: 0o600 });
  const ca = await authority();
  const server = await leaf(
    ca,
    [{ name: 'commonName', value: 'kube-apiserver' }],
    ['127.0.0.1', '10.96.0.1', 'localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
  );
  // What the API server shows to a kubelet, for logs and exec.
  const client = await leaf(
    ca,
    [
      { name: 'organizationName', value: 'system:masters' },
      { name: 'commonName', value: 'kube-apiserver-client' },
    ],
    ['kube-apiserver-client'],
  );
  for (const [name, pair] of Object.entries({ ca, server, client })) {
    write(`${name}.key`, pair.key);
    write(`${name}.crt`, pair.cert);
  }
  const accounts = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  write('service-accounts.key', accounts.privateKey);
  write('service-accounts.pub', accounts.publicKey);
  const tokens = users.map((user, index) => ({ ...user, uid: index + 1, token: randomBytes(24).toString('hex') }));
  write('tokens.csv', tokens.map(({ token, name, uid, groups }) => `${token},${name},${uid},"${groups}"\n`).join(''));
  for (const { file, token } of tokens)
    writeFileSync(kubeconfigOf(bed, file), kubeconfig(bed, ca.cert, token), { mode: 0o600 });
};
