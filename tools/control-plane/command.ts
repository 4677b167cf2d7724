import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
}

/** Runs a program to its end and returns what it printed. Throws with the program's own words where it fails. */
export const command = (program: string, args: readonly string[], options: CommandOptions = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = execFile(
      program,
      [...args],
      { maxBuffer: 256 * 1024 * 1024, cwd: options.cwd, env: { ...process.env, ...options.env } },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`${program} ${args.join(' ')}: ${stderr.trim() || error.message}`, { cause: error }));
      },
    );
    if (options.input !== undefined) child.stdin?.end(options.input);
  });

/** The path of a program on PATH, or in the folders that only root's PATH holds. */
export const findProgram = (name: string): string | undefined => {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/go/bin', '/usr/sbin', '/sbin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
};

export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
