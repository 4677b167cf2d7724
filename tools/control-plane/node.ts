import { mkdirSync, writeFileSync } from 'node:fs';
import { type Bed, inBed, kubeconfigOf, nodeAddress, program } from './bed.ts';
import { makeCgroup } from './cgroups.ts';
import { command } from './command.ts';
import { apiServerUser } from './credentials.ts';
import { daemonServes, startDaemon } from './daemon.ts';
import { imageArchive } from './images.ts';
import { cniConfig, containerdConfig, kubeletConfig } from './node-files.ts';
import { kubectl } from './plane.ts';

export const nodeName = 'n1';

/** containerd's own client, in the namespace that the kubelet's containers live in. */
export const ctr = (bed: Bed, ...args: readonly string[]): Promise<string> =>
  command('ctr', ['--address', inBed(bed, 'containerd.sock'), '--namespace', 'k8s.io', ...args]);

const startContainerd = async (bed: Bed): Promise<void> => {
  mkdirSync(inBed(bed, 'cni'), { recursive: true });
  writeFileSync(inBed(bed, 'cni', '10-bridge.conflist'), cniConfig(bed));
  writeFileSync(inBed(bed, 'containerd.toml'), containerdConfig(bed));
  startDaemon(bed, 'containerd', 'containerd', ['--config', inBed(bed, 'containerd.toml')]);
  await daemonServes(bed, 'containerd', () => ctr(bed, 'version'));
  writeFileSync(inBed(bed, 'images.tar'), imageArchive());
  await ctr(bed, 'images', 'import', inBed(bed, 'images.tar'));
};

/** Made ahead of the first Pod: the node's own address is the bridge's, so that no network card is needed. */
const makeBridge = async (bed: Bed): Promise<void> => {
  await command('ip', ['link', 'add', bed.name, 'type', 'bridge']);
  await command('ip', ['address', 'add', `${nodeAddress(bed)}/24`, 'dev', bed.name]);
  await command('ip', ['link', 'set', bed.name, 'up']);
};

/** Starts the kubelet, or starts it again after it was ended. */
export const startKubelet = (bed: Bed): void =>
  startDaemon(bed, 'kubelet', program('kubelet'), [
    `--config=${inBed(bed, 'kubelet.json')}`,
    `--kubeconfig=${kubeconfigOf(bed, 'node')}`,
    `--hostname-override=${nodeName}`,
    `--node-ip=${nodeAddress(bed)}`,
    `--root-dir=${inBed(bed, 'kubelet')}`,
    `--cert-dir=${inBed(bed, 'kubelet', 'pki')}`,
  ]);

const nodeIsReady = async (bed: Bed): Promise<void> => {
  const path = '{.status.conditions[?(@.type=="Ready")].status}';
  const status = await kubectl(bed, ['get', 'node', nodeName, '-o', `jsonpath=${path}`]);
  if (status !== 'True') throw new Error(`the node is not Ready: ${status}`);
};

/** Starts containerd, with the test images, and a kubelet as node n1; waits until it is Ready (about 10 s). Needs root. */
export const startNode = async (bed: Bed): Promise<void> => {
  await startContainerd(bed);
  await makeBridge(bed);
  makeCgroup(bed.name);
  writeFileSync(inBed(bed, 'kubelet.json'), kubeletConfig(bed));
  const admin = ['--clusterrole=system:kubelet-api-admin', `--user=${apiServerUser}`];
  await kubectl(bed, ['create', 'clusterrolebinding', apiServerUser, ...admin]);
  startKubelet(bed);
  await daemonServes(bed, 'kubelet', () => nodeIsReady(bed));
};
