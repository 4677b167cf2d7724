import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BootstrapCopy, copyBootstrap } from './copy-for-test.ts';

// `bench` in a folder without benchmarks installs, says that there are none, and ends: all that these tests need.
const nothingToRun = 'no file in bench/ has such a name';

const withDevelopmentDependency = (copy: BootstrapCopy): void => {
  const devDependencies = { 'a-tool': 'file:a-tool' };
  copy.write('package.json', {
    name: 'copy',
    version: '1.0.0',
    type: 'module',
    engines: { node: '>=20.19' },
    devDependencies,
  });
  copy.write('a-tool/package.json', { name: 'a-tool', version: '1.0.0' });
  copy.write('package-lock.json', {
    name: 'copy',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'copy', version: '1.0.0', devDependencies },
      'a-tool': { version: '1.0.0', dev: true },
      'node_modules/a-tool': { resolved: 'a-tool', link: true },
    },
  });
};

describe('the bootstrap', { timeout: 120_000 }, () => {
  let copy: BootstrapCopy;
  beforeEach(() => {
    copy = copyBootstrap();
  });
  afterEach(() => copy.discard());

  it('says in one sentence that this Node is too old', async () => {
    copy.write('package.json', { name: 'copy', version: '1.0.0', type: 'module', engines: { node: '>=99.1' } });
    const { code, stdout, stderr } = await copy.run(['test']);
    expect(code).toBe(1);
    expect(stdout + stderr).toBe(`modelserving needs Node 99.1 or newer; this is Node ${process.versions.node}.\n`);
  });

  it('names the commands it knows when it is given another', async () => {
    const { code, stderr } = await copy.run(['tset']);
    expect(code).toBe(2);
    expect(stderr).toContain('unknown command "tset"; known are start, test');
  });

  it('installs development dependencies, whatever NODE_ENV and omit say', async () => {
    withDevelopmentDependency(copy);
    const { stderr } = await copy.run(['bench'], { NODE_ENV: 'production', npm_config_omit: 'dev' });
    expect(stderr).toContain('because node_modules is missing');
    expect(stderr).toContain(nothingToRun);
    expect(existsSync(join(copy.folder, 'node_modules', 'a-tool', 'package.json'))).toBe(true);
  });

  it('installs once, and again only when the lock file has changed', async () => {
    withDevelopmentDependency(copy);
    expect((await copy.run(['bench'])).stderr).toContain('installing');
    expect((await copy.run(['bench'])).stderr).not.toContain('installing');

    const lock = readFileSync(join(copy.folder, 'package-lock.json'), 'utf8');
    copy.write('package-lock.json', `${lock}\n`);
    expect((await copy.run(['bench'])).stderr).toContain('because package-lock.json has changed');
    expect((await copy.run(['bench'])).stderr).not.toContain('installing');
  });

  it('accepts an install that npm itself has made', async () => {
    copy.write('package-lock.json', { packages: { 'node_modules/a-tool': { version: '1.0.0' } } });
    copy.write('node_modules/.package-lock.json', { packages: { 'node_modules/a-tool': { version: '1.0.0' } } });
    expect((await copy.run(['bench'])).stderr).toBe(`modelserving: ${nothingToRun}\n`);
  });

  it('installs where npm left another version of a package', async () => {
    withDevelopmentDependency(copy);
    copy.write('node_modules/.package-lock.json', { packages: { 'node_modules/a-tool': { version: '0.9.0' } } });
    expect((await copy.run(['bench'])).stderr).toContain('because node_modules is not what package-lock.json asks for');
  });

  it('installs with a home folder that cannot be written', async () => {
    withDevelopmentDependency(copy);
    const { stderr } = await copy.run(['bench'], { npm_config_cache: join(copy.folder, 'package.json', 'cache') });
    expect(stderr).toContain('dependencies installed');
  });

  it('says in one sentence that the registry cannot be reached, and does not run the program', async () => {
    const dependencies = { 'a-package': '1.0.0' };
    copy.write('package.json', {
      name: 'copy',
      version: '1.0.0',
      type: 'module',
      engines: { node: '>=20.19' },
      dependencies,
    });
    copy.write('package-lock.json', {
      name: 'copy',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'copy', version: '1.0.0', dependencies },
        'node_modules/a-package': { version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==` },
      },
    });
    const { code, stderr } = await copy.run(['bench'], {
      npm_config_registry: 'http://127.0.0.1:1/',
      npm_config_fetch_retries: '0',
    });
    expect(code).toBe(1);
    expect(stderr).toContain('The package registry cannot be reached (ECONNREFUSED)');
    expect(stderr).not.toContain(nothingToRun);
    expect(existsSync(join(copy.folder, 'node_modules', '.modelserving-installed'))).toBe(false);
  });
});
