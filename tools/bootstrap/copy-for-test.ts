import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project: string = fileURLToPath(new URL('../..', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface BootstrapCopy {
  readonly folder: string;
  readonly write: (path: string, content: string | object) => void;
  /** Puts packages of this project's node_modules into the copy's, as links, and says that they are installed. */
  readonly borrow: (packages: readonly string[]) => void;
  readonly spawn: (args: readonly string[], env?: Readonly<Record<string, string>>) => ChildProcess;
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Outcome>;
  readonly discard: () => void;
}

export const outcomeOf = (child: ChildProcess): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const text = { stdout: '', stderr: '' };
    child.stdout?.on('data', (data: Buffer) => {
      text.stdout += data.toString();
    });
    child.stderr?.on('data', (data: Buffer) => {
      text.stderr += data.toString();
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...text }));
  });

/** The bootstrap in a folder of its own, whose name has a blank, around a package without dependencies. */
export const copyBootstrap = (): BootstrapCopy => {
  const folder = mkdtempSync(join(tmpdir(), 'a clone '));
  const write = (path: string, content: string | object): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  for (const path of ['tools/bootstrap', 'tools/bootstrap.mjs', 'tools/closing-line-reporter.mjs']) {
    cpSync(join(project, path), join(folder, path), {
      recursive: true,
      filter: (source) => !source.endsWith('.test.ts'),
    });
  }
  write('package.json', { name: 'copy', version: '1.0.0', type: 'module', engines: { node: '>=20.19' } });
  write('package-lock.json', { name: 'copy', version: '1.0.0', lockfileVersion: 3, requires: true, packages: {} });

  const start: BootstrapCopy['spawn'] = (args, env = {}) =>
    spawn(process.execPath, [join(folder, 'tools', 'bootstrap.mjs'), ...args], {
      // Not the folder itself: the bootstrap finds its project from where it stands.
      cwd: tmpdir(),
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return {
    folder,
    write,
    borrow: (packages) => {
      write('node_modules/.package-lock.json', { packages: {} });
      for (const name of packages) symlinkSync(join(project, 'node_modules', name), join(folder, 'node_modules', name));
    },
    spawn: start,
    run: (args, env) => outcomeOf(start(args, env)),
    discard: () => rmSync(folder, { recursive: true, force: true }),
  };
};
