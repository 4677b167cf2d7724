import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closingLine } from './closing-line.mjs';
import { ensureInstalled } from './install.mjs';
import { endLike, runNode } from './run.mjs';
import { say } from './say.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tool = (...path) => join(root, 'node_modules', ...path);
const tsx = ['--import', 'tsx'];

const build = async () => {
  say('building');
  const result = await runNode({ root, args: [tool('typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json'] });
  if (result.code !== 0) say('the build failed; see above.');
  return result;
};

/** Runs vitest and ends with `N passed, N failed`, whatever became of it. */
const runTests = async (args) => {
  const heard = { counts: undefined };
  const result = await runNode({
    root,
    args: [tool('vitest', 'vitest.mjs'), 'run', ...args],
    onMessage: (message) => {
      if (message?.type === 'test-counts') heard.counts = message.counts;
    },
  });
  process.stdout.write(`${closingLine(heard.counts, result)}\n`);
  return result;
};

const benchmarks = (wanted) => {
  const folder = join(root, 'bench');
  const all = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.bench.ts')) : [];
  return all.filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part))).sort();
};

const commands = {
  start: async (args) => {
    const built = await build();
    return built.code === 0 ? runNode({ root, args: [join(root, 'dist', 'cli', 'main.js'), 'dev', ...args] }) : built;
  },
  test: (args) => runTests(args),
  simulate: async (args) => {
    const built = await build();
    return built.code === 0
      ? runNode({ root, args: [join(root, 'dist', 'cli', 'main.js'), 'simulate', ...args] })
      : built;
  },
  'test:real': async (args) => {
    const built = await build();
    return built.code === 0 ? runTests(['--config', 'vitest.real.config.ts', ...args]) : built;
  },
  bench: async (args) => {
    const names = benchmarks(args.filter((arg) => !arg.startsWith('-')));
    if (names.length === 0) {
      say('no file in bench/ has such a name');
      return { code: 1, signal: null };
    }
    let last = { code: 0, signal: null };
    for (const name of names) {
      say(`running bench/${name}`);
      const result = await runNode({
        root,
        args: [...tsx, join(root, 'bench', name), ...args.filter((arg) => arg.startsWith('-'))],
      });
      if (result.signal !== null) return result;
      if (result.code !== 0) last = result;
    }
    return last;
  },
  'control-plane': (args) =>
    runNode({ root, args: [...tsx, join(root, 'tools', 'control-plane', 'main.ts'), ...args] }),
};

/** Runs one command of the table above with node_modules in place, and ends this process as it ended. */
export const main = async ([name, ...args]) => {
  const command = commands[name];
  if (command === undefined) {
    say(`unknown command "${name ?? ''}"; known are ${Object.keys(commands).join(', ')}`);
    process.exitCode = 2;
    return;
  }
  if (!(await ensureInstalled(root))) {
    process.exitCode = 1;
    return;
  }
  endLike(await command(args));
};
