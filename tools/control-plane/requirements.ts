import { existsSync, readFileSync } from 'node:fs';
import { haveBinary } from './binary.ts';
import { findProgram } from './command.ts';

/** Why the control plane's binary cannot be had here; empty where it is there or can be built. */
export const missingToBuild = async (): Promise<string[]> => {
  if (process.platform !== 'linux') return ['the real control plane runs on Linux only'];
  if ((await haveBinary()) || findProgram('go') !== undefined) return [];
  return ['its binary is not in the cache and Go is not on this machine'];
};

/** Why the control plane cannot be started at once; empty where it can. */
export const missingForPlane = async (): Promise<string[]> => {
  const missing = await missingToBuild();
  if (missing.length > 0 || (await haveBinary())) return missing;
  return ['its binary is not in the cache; `npm run control-plane -- build` makes it'];
};

const nodePrograms = ['containerd', 'runc', 'ctr', 'ip', 'iptables', 'busybox'];

/** Whether a program runs without a dynamic loader, as it must in an image that holds nothing else. */
const isStatic = (path: string): boolean => !readFileSync(path).subarray(0, 4096).includes('/ld-');

/** Why a real node cannot be started here; empty where it can. */
export const missingForNode = (): string[] => {
  if (process.platform !== 'linux') return ['a real node runs on Linux only'];
  const reasons = process.getuid?.() === 0 ? [] : ['a real node needs root'];
  const missing = nodePrograms.filter((name) => findProgram(name) === undefined);
  const busybox = findProgram('busybox');
  if (busybox !== undefined && !isStatic(busybox)) missing.push('a busybox that is linked statically');
  if (!existsSync('/usr/lib/cni/bridge')) missing.push('the CNI plugins in /usr/lib/cni');
  return missing.length === 0 ? reasons : [...reasons, `not on this machine: ${missing.join(', ')}`];
};
