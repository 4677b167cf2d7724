import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bed, inBed } from './bed.ts';

/** What is kept of a process: its start time tells it from a later one that was given the same id. */
interface DaemonRecord {
  readonly pid: number;
  readonly startTime: string;
}

/** When a process started, in clock ticks since boot (field 22 of /proc/PID/stat); undefined where it is gone or a zombie. */
export const startTimeOf = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets and may hold blanks and brackets itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    // No such file: no such process.
    return undefined;
  }
};

const recordFile = (bed: Bed, name: string): string => inBed(bed, `${name}.pid`);
const isRunning = ({ pid, startTime }: DaemonRecord): boolean => startTimeOf(pid) === startTime;

/** Starts a program that outlives us, with its output in NAME.log; its record is what `stopDaemon` needs. */
export const startDaemon = (bed: Bed, name: string, path: string, args: readonly string[]): void => {
  const log = openSync(inBed(bed, `${name}.log`), 'a');
  const child = spawn(path, [...args], { cwd: bed.folder, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  if (child.pid === undefined) throw new Error(`${path} could not be started`);
  const record: DaemonRecord = { pid: child.pid, startTime: startTimeOf(child.pid) ?? '' };
  writeFileSync(recordFile(bed, name), JSON.stringify(record));
  child.unref();
};

const recordOf = (bed: Bed, name: string): DaemonRecord | undefined => {
  const file = recordFile(bed, name);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DaemonRecord) : undefined;
};

export const daemonRuns = (bed: Bed, name: string): boolean => {
  const record = recordOf(bed, name);
  return record !== undefined && isRunning(record);
};

/** The end of a daemon's log, for an error message. */
export const logTail = (bed: Bed, name: string): string => {
  const file = inBed(bed, `${name}.log`);
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-8).join('\n') : '';
};

/** Asks a daemon to end, and ends it where it has not within `patienceMs`. Does nothing where it is gone. */
export const stopDaemon = async (bed: Bed, name: string, patienceMs = 10_000): Promise<void> => {
  const record = recordOf(bed, name);
  if (record !== undefined && isRunning(record)) {
    process.kill(record.pid, 'SIGTERM');
    if (!(await becomes(() => !isRunning(record), patienceMs))) {
      process.kill(record.pid, 'SIGKILL');
      await becomes(() => !isRunning(record), patienceMs);
    }
  }
  rmSync(recordFile(bed, name), { force: true });
};

/** Sends a signal to a daemon: SIGSTOP and SIGCONT make a kubelet that hangs for a while, SIGKILL one that crashes. */
export const signalDaemon = (bed: Bed, name: string, signal: NodeJS.Signals): void => {
  const record = recordOf(bed, name);
  if (record === undefined || !isRunning(record)) throw new Error(`${name} does not run`);
  process.kill(record.pid, signal);
};

/** Whether `condition` becomes true within `patienceMs`; asked every 100 ms. */
export const becomes = async (condition: () => boolean | Promise<boolean>, patienceMs: number): Promise<boolean> => {
  const end = Date.now() + patienceMs;
  for (;;) {
    if (await condition()) return true;
    if (Date.now() > end) return false;
    await sleep(100);
  }
};

/**
 * Waits until a daemon serves.
 *
 * @param probe  asks it something; its failure is the reason shown where the daemon never serves
 * @throws       with that reason and the end of the daemon's log where it dies or takes longer than `patienceMs`
 */
export const daemonServes = async (
  bed: Bed,
  name: string,
  probe: () => Promise<unknown>,
  patienceMs = 60_000,
): Promise<void> => {
  let reason = '';
  const served = await becomes(async () => {
    if (!daemonRuns(bed, name)) throw new Error(`${name} ended; the end of its log:\n${logTail(bed, name)}`);
    return probe().then(
      () => true,
      (error: unknown) => {
        reason = String(error);
        return false;
      },
    );
  }, patienceMs);
  if (!served) throw new Error(`${name} does not answer: ${reason}\nThe end of its log:\n${logTail(bed, name)}`);
};
