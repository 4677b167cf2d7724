import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { command, findProgram, isExecutable } from './command.ts';
import { components, etcdVersion, kubernetesVersion } from './versions.ts';

/** Outside the tree, so that a fresh clone finds it again. */
export const binaryFolder = (): string =>
  join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'modelserving', 'control-plane', 'bin');

/** Whether the binary is there, complete, and of the version this tree asks for. */
export const haveBinary = async (folder: string = binaryFolder()): Promise<boolean> => {
  if (!components.every((name) => isExecutable(join(folder, name)))) return false;
  const version = await command(join(folder, 'kubectl'), ['version', '--client']);
  return version.includes(`v${kubernetesVersion}`);
};

// k8s.io/kubernetes names the modules it is published with as folders of its own tree; here each is its published version.
const publishedModules = (moduleFile: string, version: string): string[] =>
  [...readFileSync(moduleFile, 'utf8').matchAll(/^\s*(k8s\.io\/[a-z0-9-]+) => \.\/staging/gm)].map(
    ([, name]) => `-replace=${name}=${name}@${version}`,
  );

/**
 * Builds the binary from published Go modules into `folder`. Does nothing where it is there.
 *
 * Cold: about ten minutes on two cores, 1.2 GB of modules, 4.3 GB of build cache; warm: seconds. Needs Go 1.24 or newer.
 */
export const buildBinary = async (say: (text: string) => void, folder: string = binaryFolder()): Promise<void> => {
  if (await haveBinary(folder)) return;
  const go = findProgram('go');
  if (go === undefined) throw new Error('Go is not on this machine; it is needed to build the control plane');
  const work = mkdtempSync(join(tmpdir(), 'control-plane-build-'));
  const staging = `v0.${kubernetesVersion.slice('1.'.length)}`;
  const run = (...args: readonly string[]): Promise<string> =>
    command(go, args, { cwd: work, env: { GOFLAGS: '-mod=mod', CGO_ENABLED: '0' } });
  try {
    cpSync(new URL('./binary/main.go', import.meta.url), join(work, 'main.go'));
    say(`fetching the Go modules of Kubernetes ${kubernetesVersion} and etcd ${etcdVersion}`);
    await run('mod', 'init', 'controlplane');
    await run('mod', 'edit', '-go=1.24.0', '-godebug=default=go1.24');
    await run(
      'mod',
      'edit',
      `-require=k8s.io/kubernetes@v${kubernetesVersion}`,
      `-require=k8s.io/kubectl@${staging}`,
      `-require=go.etcd.io/etcd/server/v3@v${etcdVersion}`,
    );
    await run('mod', 'download', `k8s.io/kubernetes@v${kubernetesVersion}`);
    const modules = (await run('env', 'GOMODCACHE')).trim();
    await run(
      'mod',
      'edit',
      ...publishedModules(join(modules, `k8s.io/kubernetes@v${kubernetesVersion}`, 'go.mod'), staging),
    );
    await run('mod', 'tidy');
    say('compiling; on two cores this takes about ten minutes the first time');
    const stamp = 'k8s.io/component-base/version';
    const [major = '', minor = ''] = kubernetesVersion.split('.');
    const flags = [
      `-s -w -X ${stamp}.gitVersion=v${kubernetesVersion}`,
      `-X ${stamp}.gitMajor=${major} -X ${stamp}.gitMinor=${minor} -X ${stamp}.gitTreeState=clean`,
    ].join(' ');
    const built = join(work, 'controlplane');
    await run('build', '-trimpath', '-ldflags', flags, '-o', built, '.');
    install(built, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

const install = (built: string, folder: string): void => {
  mkdirSync(folder, { recursive: true });
  const target = join(folder, 'controlplane');
  // Copied first and then renamed: a run that is cut off leaves no half binary, and a running one is not disturbed.
  cpSync(built, `${target}.new`);
  renameSync(`${target}.new`, target);
  for (const name of components) {
    const link = join(folder, name);
    if (existsSync(link)) rmSync(link);
    symlinkSync('controlplane', link);
  }
};
