import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BootstrapCopy, copyBootstrap, type Outcome } from './copy-for-test.ts';

const file = (...tests: readonly string[]): string =>
  ["import { beforeAll, describe, expect, it } from 'vitest';", ...tests].join('\n');
const good = "it('is good', () => expect(1).toBe(1));";
const bad = "it('is bad', () => expect(1).toBe(2));";
const lastLine = ({ stdout }: Outcome): string | undefined => stdout.trimEnd().split('\n').at(-1);

describe('npm test through the bootstrap', { timeout: 120_000 }, () => {
  let copy: BootstrapCopy;
  beforeEach(() => {
    copy = copyBootstrap();
    copy.borrow(['vitest', 'vite']);
    copy.write(
      'vitest.config.ts',
      "export default { test: { include: ['*.test.ts'], reporters: ['default', './tools/closing-line-reporter.mjs'] } };",
    );
    copy.write('good.test.ts', file(good, good, "it.skip('waits', () => undefined);"));
  });
  afterEach(() => copy.discard());

  it('ends with the counts of a good run', async () => {
    const outcome = await copy.run(['test']);
    expect(lastLine(outcome)).toBe('2 passed, 0 failed, 1 skipped');
    expect(outcome.code).toBe(0);
  });

  it('counts a test that fails, a file that does not load, a hook that throws and an error nobody caught', async () => {
    copy.write('bad.test.ts', file(bad, good));
    copy.write('broken.test.ts', "import './no-such-file.ts';");
    copy.write('empty.test.ts', '');
    copy.write(
      'hook.test.ts',
      file("describe('all', () => {", "beforeAll(() => { throw new Error('no'); });", good, '});'),
    );
    copy.write('stray.test.ts', file(good, "void Promise.reject(new Error('stray'));"));
    const outcome = await copy.run(['test']);
    expect(lastLine(outcome)).toBe('4 passed, 5 failed, 2 skipped');
    expect(outcome.code).toBe(1);
  });

  it('counts only what a filter selects', async () => {
    copy.write('bad.test.ts', file(bad));
    const outcome = await copy.run(['test', 'good']);
    expect(lastLine(outcome)).toBe('2 passed, 0 failed, 1 skipped');
    expect(outcome.code).toBe(0);
  });

  it('does not call a run good that has found no test', async () => {
    const outcome = await copy.run(['test', 'no-such-test']);
    expect(lastLine(outcome)).toBe('0 passed, 1 failed');
    expect(outcome.code).toBe(1);
  });

  it('does not call a run good whose configuration does not load', async () => {
    copy.write('vitest.config.ts', 'throw new Error();');
    const outcome = await copy.run(['test']);
    expect(lastLine(outcome)).toBe('0 passed, 1 failed');
    expect(outcome.code).toBe(1);
  });
});
