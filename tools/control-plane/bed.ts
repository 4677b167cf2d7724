import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { binaryFolder } from './binary.ts';
import type { Component } from './versions.ts';

/** One control plane with its node: a folder that holds all of its state, and what it takes of the machine. */
export interface Bed {
  readonly folder: string;
  /** Short and unique to the folder: names its network bridge and its cgroup. */
  readonly name: string;
  readonly ports: { readonly api: number; readonly etcd: number; readonly etcdPeer: number; readonly kubelet: number };
  /** The first three numbers of the Pods' /24 network. */
  readonly podNetwork: string;
}

export const defaultFolder = (): string => join(tmpdir(), 'modelserving-control-plane');

export const inBed = (bed: Bed, ...path: readonly string[]): string => join(bed.folder, ...path);
export const program = (component: Component): string => join(binaryFolder(), component);
/** The node's address: the gateway of its Pods' network. */
export const nodeAddress = (bed: Bed): string => `${bed.podNetwork}.1`;
export const kubeconfigOf = (bed: Bed, user: string): string => inBed(bed, `${user}.conf`);

const freePorts = async (count: number): Promise<number[]> => {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer();
      return new Promise<typeof server>((done, fail) => {
        server.once('error', fail);
        server.listen(0, '127.0.0.1', () => done(server));
      });
    }),
  );
  const ports = servers.map((server) => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('a listening socket has no port');
    return address.port;
  });
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
};

const freeNetwork = (): string => {
  const used = Object.values(networkInterfaces()).flatMap((list) => list?.map((entry) => entry.address) ?? []);
  const candidates = Array.from({ length: 200 }, (_, index) => `10.244.${index + 7}`);
  const free = candidates.find((network) => !used.some((address) => address.startsWith(`${network}.`)));
  if (free === undefined) throw new Error('no free network for Pods');
  return free;
};

/** The longest path of a socket in the folder must stay below the kernel's 108 bytes. */
const longestFolder = 60;

/** Makes the folder of a new control plane. Throws where one is there already. */
export const newBed = async (path: string): Promise<Bed> => {
  const folder = resolve(path);
  if (folder.length > longestFolder) throw new Error(`the path of the state folder is too long for sockets: ${folder}`);
  if (existsSync(folder)) throw new Error(`${folder} is there already; \`npm run control-plane -- down\` ends it`);
  const [api = 0, etcd = 0, etcdPeer = 0, kubelet = 0] = await freePorts(4);
  const name = `cp-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;
  const bed: Bed = { folder, name, ports: { api, etcd, etcdPeer, kubelet }, podNetwork: freeNetwork() };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'bed.json'), JSON.stringify(bed, undefined, 2));
  return bed;
};

/** The control plane of a folder, running or not; undefined where the folder holds none. */
export const readBed = (path: string): Bed | undefined => {
  const file = join(resolve(path), 'bed.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Bed) : undefined;
};
