import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import {
  createAuthority,
  issueClientCertificate,
  issueServerCertificate,
  nodePlatform,
} from '../../src/platform/index.ts';
import { type Bed, inBed, kubeconfigOf } from './bed.ts';

/** The user that the API server is to the kubelet, when it asks for logs or starts a command. */
export const apiServerUser = 'kube-apiserver-client';

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
  const { clock } = nodePlatform();
  const ca = await createAuthority({ clock, commonName: 'control-plane-ca' });
  const server = await issueServerCertificate(ca, {
    clock,
    commonName: 'kube-apiserver',
    dnsNames: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
    addresses: ['127.0.0.1', '10.96.0.1'],
  });
  const client = await issueClientCertificate(ca, { clock, commonName: apiServerUser });
  for (const [name, pair] of Object.entries({ ca, server, client })) {
    write(`${name}.key`, pair.key);
    write(`${name}.crt`, pair.certificate);
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
    writeFileSync(kubeconfigOf(bed, file), kubeconfig(bed, ca.certificate, token), { mode: 0o600 });
};
