import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Bed, inBed, kubeconfigOf } from '../../tools/control-plane/bed.ts';
import { until } from './wait.ts';

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** The built operator as a process of its own, as a user runs it outside a cluster. */
export interface OperatorProcess {
  /** What it has logged since it started. */
  readonly log: () => string;
  /** Asks it to end, and returns its exit code; fails where it does not within ten seconds. */
  readonly stop: () => Promise<number | null>;
  /** Ends it in the middle of whatever it does. */
  readonly kill: () => Promise<void>;
}

export const startOperator = async (bed: Bed): Promise<OperatorProcess> => {
  const logFile = inBed(bed, 'operator.log');
  const output = openSync(logFile, 'w');
  const child: ChildProcess = spawn(
    process.execPath,
    [program, 'operator', '--kubeconfig', kubeconfigOf(bed, 'admin')],
    {
      cwd: bed.folder,
      stdio: ['ignore', output, output],
    },
  );
  closeSync(output);
  let ended: { readonly code: number | null } | undefined;
  child.on('exit', (code) => {
    ended = { code };
  });
  const log = (): string => readFileSync(logFile, 'utf8');
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return (await until('the operator to end', () => ended, 10)).code;
  };
  await until('the operator to run', () => {
    if (ended !== undefined) throw new Error(`the operator ended at once:\n${log()}`);
    return log().includes('the operator is running');
  });
  return {
    log,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
  };
};
