import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Bed, inBed } from './bed.ts';
import { removeCgroup } from './cgroups.ts';
import { command } from './command.ts';
import { becomes, daemonRuns, startTimeOf, stopDaemon } from './daemon.ts';
import { ctr } from './node.ts';
import { planeDaemons } from './plane.ts';

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

// A container may end on its own between the list and the kill: that is what is wanted, so the failure is nothing.
const gone = (): undefined => undefined;

// What CNI remembers of each sandbox, in a folder that cannot be set.
const networkResults = '/var/lib/cni/results';

const forgetNetwork = (container: string): void => {
  if (!existsSync(networkResults)) return;
  for (const name of readdirSync(networkResults)) {
    if (name.includes(`-${container}-`)) rmSync(join(networkResults, name));
  }
};

/** Ends every container. The kubelet must be stopped, or it starts them again. */
const endContainers = async (bed: Bed): Promise<void> => {
  const tasks = (): Promise<string[]> => ctr(bed, 'tasks', 'list', '-q').then(lines);
  await Promise.all((await tasks()).map((id) => ctr(bed, 'tasks', 'kill', '--signal', 'SIGKILL', id).catch(gone)));
  await becomes(async () => !(await ctr(bed, 'tasks', 'list')).includes('RUNNING'), 10_000);
  for (const id of await tasks()) await ctr(bed, 'tasks', 'delete', '--force', id).catch(gone);
  for (const id of lines(await ctr(bed, 'containers', 'list', '-q'))) {
    await ctr(bed, 'containers', 'delete', id).catch(gone);
    forgetNetwork(id);
  }
};

/** Processes whose command line names the bed's folder: shims that outlived containerd. */
const leftProcesses = (bed: Bed): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      if (!Number.isInteger(pid) || pid === process.pid) return false;
      try {
        const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return program.includes('containerd-shim') && args.includes(inBed(bed, 'containerd.sock'));
      } catch {
        // It ended while we looked.
        return false;
      }
    });

const mountsBelow = (folder: string): string[] =>
  lines(readFileSync('/proc/mounts', 'utf8'))
    .map((line) => (line.split(' ')[1] ?? '').replaceAll('\\040', ' '))
    .filter((path) => path.startsWith(`${folder}/`))
    .sort()
    .reverse();

const removeBridge = async (bed: Bed): Promise<void> => {
  if (existsSync(`/sys/class/net/${bed.name}`)) await command('ip', ['link', 'delete', bed.name]);
};

// Links of the kubelet to its logs, in a folder that cannot be set either.
const logLinks = '/var/log/containers';

const removeLogLinks = (bed: Bed): void => {
  if (!existsSync(logLinks)) return;
  for (const name of readdirSync(logLinks)) {
    const link = join(logLinks, name);
    if (readlinkSync(link).startsWith(`${bed.folder}/`)) rmSync(link);
  }
};

const endNode = async (bed: Bed): Promise<void> => {
  await stopDaemon(bed, 'kubelet');
  if (daemonRuns(bed, 'containerd')) await endContainers(bed);
  await stopDaemon(bed, 'containerd');
  for (const pid of leftProcesses(bed)) {
    process.kill(pid, 'SIGKILL');
    await becomes(() => startTimeOf(pid) === undefined, 5_000);
  }
  for (const path of mountsBelow(bed.folder)) await command('umount', ['--lazy', path]);
  await removeBridge(bed);
  removeLogLinks(bed);
  removeCgroup(bed.name);
};

/** Ends everything of a bed and removes what it left on the machine, its folder last. May be run again where it failed. */
export const takeDown = async (bed: Bed): Promise<void> => {
  await endNode(bed);
  for (const name of planeDaemons) await stopDaemon(bed, name);
  rmSync(bed.folder, { recursive: true, force: true });
};
