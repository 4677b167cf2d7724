import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Called with everything printed so far, to send a signal at the right moment. */
  readonly onOutput?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
}

const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Runs the command line as a process of its own, without a terminal. */
export const runCli = (args: readonly string[], options: CliOptions = {}): Promise<CliResult> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', program, ...args], {
      env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      options.onOutput?.(stdout, (signal) => child.kill(signal));
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
