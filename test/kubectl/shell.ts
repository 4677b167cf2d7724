import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Cluster,
  type ClusterOptions,
  createCluster,
  openHttpsFront,
  writeKubeconfig,
} from '../../src/cluster/index.ts';
import { nodeFiles, nodePlatform } from '../../src/platform/index.ts';

const binary = process.env['KUBECTL'] ?? 'kubectl';
const probe = spawnSync(binary, ['version', '--client', '-o', 'json'], { encoding: 'utf8' });

/** Why the transcripts cannot run here; undefined where they can. Taken from KUBECTL, else from the PATH. */
export const missingKubectl: string | undefined =
  probe.status === 0
    ? undefined
    : `${binary} does not run here (${probe.error?.message ?? `exit code ${probe.status}`})`;

/** Title of a block of transcripts, with the reason where it is skipped. */
export const titled = (title: string): string =>
  missingKubectl === undefined ? title : `${title} (skipped: ${missingKubectl})`;

export interface Output {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Further arguments, which may hold blanks. */
  readonly args?: readonly string[];
  /** An object goes in as JSON. */
  readonly stdin?: unknown;
  readonly env?: Readonly<Record<string, string>>;
}

/** A terminal with kubectl, an embedded cluster behind it, and a home folder of its own. */
export interface Shell {
  readonly cluster: Cluster;
  readonly server: string;
  kubectl(line: string, options?: RunOptions): Promise<Output>;
  /** What a successful command prints. Throws with all it printed where it fails. */
  prints(line: string, options?: RunOptions): Promise<string>;
  /** Runs until what it prints matches, then stops it. Throws where it ends before. */
  printsUntil(line: string, pattern: RegExp, meanwhile?: () => Promise<unknown>): Promise<string>;
  /** An executable script in the home folder; its path. */
  script(name: string, text: string): Promise<string>;
  close(): Promise<void>;
}

export const openShell = async (options: Omit<ClusterOptions, 'platform'> = {}): Promise<Shell> => {
  const platform = nodePlatform();
  const cluster = createCluster({ ...options, platform });
  await cluster.start();
  const front = await openHttpsFront({ platform, connect: cluster.connect, port: 0 });
  const home = await mkdtemp(join(tmpdir(), 'kubectl-'));
  const kubeconfig = join(home, 'kubeconfig');
  await writeKubeconfig(nodeFiles(), kubeconfig, {
    server: front.server,
    certificateAuthority: front.authority.certificate,
    user: { token: front.token },
  });
  const environment = { PATH: process.env['PATH'] ?? '', HOME: home, KUBECONFIG: kubeconfig };
  const begin = (line: string, run: RunOptions = {}): ChildProcessWithoutNullStreams => {
    const child = spawn(binary, [...line.split(' ').filter(Boolean), ...(run.args ?? [])], {
      env: { ...environment, ...run.env },
    });
    child.stdin.end(run.stdin === undefined ? '' : JSON.stringify(run.stdin));
    return child;
  };
  const kubectl = (line: string, run?: RunOptions): Promise<Output> => finish(begin(line, run));
  return {
    cluster,
    server: front.server,
    kubectl,
    prints: async (line, run) => {
      const { code, stdout, stderr } = await kubectl(line, run);
      if (code !== 0) throw new Error(`kubectl ${line} ended with ${code}:\n${stdout}${stderr}`);
      return stdout;
    },
    printsUntil: (line, pattern, meanwhile) => until(begin(line), { line, pattern, meanwhile }),
    script: async (name, text) => {
      await mkdir(join(home, 'bin'), { recursive: true });
      const path = join(home, 'bin', name);
      await writeFile(path, `#!/bin/sh\n${text}\n`);
      await chmod(path, 0o755);
      return path;
    },
    close: async () => {
      await front.close();
      await cluster.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
};

const finish = (child: ChildProcessWithoutNullStreams): Promise<Output> =>
  new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });

const until = (
  child: ChildProcessWithoutNullStreams,
  options: {
    readonly line: string;
    readonly pattern: RegExp;
    readonly meanwhile: (() => Promise<unknown>) | undefined;
  },
): Promise<string> =>
  new Promise((resolve, reject) => {
    let seen = '';
    let started = false;
    let matched = false;
    child.stdout.setEncoding('utf8').on('data', (text) => {
      seen += text;
      // Whatever is to be watched happens once the command has begun to print.
      if (!started) options.meanwhile?.().catch(reject);
      started = true;
      if (!options.pattern.test(seen)) return;
      matched = true;
      child.kill();
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      seen += text;
    });
    child.on('error', reject);
    child.on('close', () =>
      matched ? resolve(seen) : reject(new Error(`kubectl ${options.line} ended without ${options.pattern}:\n${seen}`)),
    );
  });

/** The cells of a table, row by row; blanks within a cell stand alone. */
export const cellsOf = (text: string): readonly (readonly string[])[] =>
  text
    .trimEnd()
    .split('\n')
    .map((row) => row.trimEnd().split(/ {2,}/));

/** An age of a fresh object. */
export const anAge: RegExp = /^\d+s$/;
