import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BootstrapCopy, copyBootstrap, outcomeOf } from './copy-for-test.ts';

const program = `
process.on('SIGTERM', () => process.exit(7));
process.on('SIGINT', () => process.exit(8));
if (process.argv[3] === 'wait') { console.log('waiting'); setInterval(() => undefined, 1000); }
else if (process.argv[3] === 'kill') process.kill(process.pid, 'SIGKILL');
else { console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 5; }
`;

describe('npm start through the bootstrap', { timeout: 120_000 }, () => {
  let copy: BootstrapCopy;
  beforeEach(() => {
    copy = copyBootstrap();
    copy.borrow(['typescript', '@types']);
    copy.write('tsconfig.build.json', {
      compilerOptions: { module: 'NodeNext', target: 'ES2023', rootDir: 'src', outDir: 'dist', types: ['node'] },
      include: ['src'],
    });
    copy.write('src/cli/main.ts', program);
  });
  afterEach(() => copy.discard());

  it('builds, then runs the program with the remaining arguments, and ends with its exit code', async () => {
    const { code, stdout, stderr } = await copy.run(['start', '--port', 'a b']);
    expect(stderr).toBe('modelserving: building\n');
    expect(stdout).toBe('["dev","--port","a b"]\n');
    expect(code).toBe(5);
  });

  it('does not run what it could not build', async () => {
    copy.write('src/cli/main.ts', `${program}\nconst wrong: string = 1;`);
    const { code, stdout, stderr } = await copy.run(['start']);
    expect(stdout).toContain('src/cli/main.ts');
    expect(stdout).not.toContain('dev');
    expect(stderr).toContain('the build failed');
    expect(code).not.toBe(0);
  });

  for (const [signal, expected] of [
    ['SIGTERM', 7],
    ['SIGINT', 8],
  ] as const) {
    it(`passes ${signal} on to the program`, async () => {
      const child = copy.spawn(['start', 'wait']);
      const outcome = outcomeOf(child);
      if (child.stdout === null) throw new Error('no stdout');
      await once(child.stdout, 'data');
      child.kill(signal);
      expect((await outcome).code).toBe(expected);
    });
  }

  it('dies of the signal that its program died of', async () => {
    const { code, signal } = await copy.run(['start', 'kill']);
    expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' });
  });
});
