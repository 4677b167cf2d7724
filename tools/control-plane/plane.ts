import { writeFileSync } from 'node:fs';
import { type Bed, inBed, kubeconfigOf, program } from './bed.ts';
import { command } from './command.ts';
import { writeCredentials } from './credentials.ts';
import { daemonServes, startDaemon } from './daemon.ts';

export const planeDaemons = ['kube-scheduler', 'kube-controller-manager', 'kube-apiserver', 'etcd'] as const;

/** kubectl as the administrator, without the user's own configuration or caches. */
export const kubectl = (bed: Bed, args: readonly string[], input?: string): Promise<string> =>
  command(
    program('kubectl'),
    ['--kubeconfig', kubeconfigOf(bed, 'admin'), '--cache-dir', inBed(bed, 'kubectl-cache'), ...args],
    {
      ...(input === undefined ? {} : { input }),
    },
  );

const startEtcd = (bed: Bed): void => {
  const client = `http://127.0.0.1:${bed.ports.etcd}`;
  const peer = `http://127.0.0.1:${bed.ports.etcdPeer}`;
  startDaemon(bed, 'etcd', program('etcd'), [
    `--data-dir=${inBed(bed, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    // The data is thrown away: nothing is worth waiting for the disk.
    '--unsafe-no-fsync',
    '--log-level=warn',
  ]);
};

const startApiServer = (bed: Bed): void =>
  startDaemon(bed, 'kube-apiserver', program('kube-apiserver'), [
    `--etcd-servers=http://127.0.0.1:${bed.ports.etcd}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${bed.ports.api}`,
    '--tls-cert-file=server.crt',
    '--tls-private-key-file=server.key',
    '--client-ca-file=ca.crt',
    '--token-auth-file=tokens.csv',
    '--anonymous-auth=false',
    '--authorization-mode=Node,RBAC',
    '--service-cluster-ip-range=10.96.0.0/24',
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-account-key-file=service-accounts.pub',
    '--service-account-signing-key-file=service-accounts.key',
    '--kubelet-client-certificate=client.crt',
    '--kubelet-client-key=client.key',
    // The node's name is known to no DNS.
    '--kubelet-preferred-address-types=InternalIP',
    '--endpoint-reconciler-type=none',
    // Webhooks behind a Service are called at the Pod, since no kube-proxy runs.
    '--enable-aggregator-routing=true',
    '--allow-privileged=true',
    '--profiling=false',
    `--cert-dir=${inBed(bed, 'certs')}`,
  ]);

const asClient = (bed: Bed, user: string): string[] => [
  `--authentication-kubeconfig=${kubeconfigOf(bed, user)}`,
  `--authorization-kubeconfig=${kubeconfigOf(bed, user)}`,
  '--bind-address=127.0.0.1',
  '--secure-port=0',
  `--cert-dir=${inBed(bed, 'certs')}`,
];

const startControllerManager = (bed: Bed): void =>
  startDaemon(bed, 'kube-controller-manager', program('kube-controller-manager'), [
    ...asClient(bed, 'controller-manager'),
    `--kubeconfig=${kubeconfigOf(bed, 'controller-manager')}`,
    '--service-account-private-key-file=service-accounts.key',
    '--root-ca-file=ca.crt',
    '--use-service-account-credentials=true',
    '--leader-elect=false',
    '--cluster-signing-cert-file=ca.crt',
    '--cluster-signing-key-file=ca.key',
  ]);

const startScheduler = (bed: Bed): void => {
  const config = inBed(bed, 'scheduler.json');
  writeFileSync(
    config,
    JSON.stringify({
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      clientConnection: { kubeconfig: kubeconfigOf(bed, 'scheduler') },
      leaderElection: { leaderElect: false },
      // The second stands in for Volcano, which is a ModelServing's default scheduler.
      profiles: [{ schedulerName: 'default-scheduler' }, { schedulerName: 'volcano' }],
    }),
  );
  startDaemon(bed, 'kube-scheduler', program('kube-scheduler'), [...asClient(bed, 'scheduler'), `--config=${config}`]);
};

/** Starts etcd, kube-apiserver, kube-controller-manager and kube-scheduler on loopback. About 4 s and 600 MB. */
export const startPlane = async (bed: Bed): Promise<void> => {
  await writeCredentials(bed);
  startEtcd(bed);
  startApiServer(bed);
  await daemonServes(bed, 'kube-apiserver', () => kubectl(bed, ['get', '--raw', '/readyz']));
  startControllerManager(bed);
  startScheduler(bed);
  // Pods are refused until the controller manager has made this account.
  await daemonServes(bed, 'kube-controller-manager', () => kubectl(bed, ['get', 'serviceaccount', 'default']));
};
