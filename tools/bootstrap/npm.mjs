import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** npm's script for this Node: the npm that called us, else the one that came with this Node. Undefined where there is none. */
export const npmScript = () => {
  const beside = dirname(process.execPath);
  const candidates = [
    process.env.npm_execpath,
    join(beside, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(beside, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  return candidates.find((path) => path !== undefined && basename(path) === 'npm-cli.js' && existsSync(path));
};

const isWritable = (folder) => {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * A cache folder npm can write to. A home folder may be read-only (containers, build machines); npm would fail in it.
 *
 * @returns `path` for npm's `--cache`, and `discard`, which removes a folder made here
 */
export const npmCache = () => {
  const usual = process.env.npm_config_cache ?? join(homedir(), '.npm');
  if (isWritable(usual)) return { path: usual, discard: () => undefined };
  const path = mkdtempSync(join(tmpdir(), 'modelserving-npm-'));
  return { path, discard: () => rmSync(path, { recursive: true, force: true }) };
};
