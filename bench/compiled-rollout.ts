import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// Below node_modules, so that the compiled files find their dependencies and nothing appears in the tree.
const outDir = join(root, 'node_modules', '.cache', 'bench');

/**
 * The rollout as it ships, compiled by tsc. What runs these files here gives every inner function a name when it is
 * made, which a decision makes thousands of: it would be measured, too.
 */
export const compiledRollout = async (): Promise<typeof import('../src/rollout/index.ts')> => {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', outDir], {
    stdio: 'inherit',
  });
  return import(pathToFileURL(join(outDir, 'rollout', 'index.js')).href);
};
