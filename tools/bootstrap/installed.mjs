// Whether node_modules is what package-lock.json asks for, and the note that says so.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const noteOf = (root) => join(root, 'node_modules', '.modelserving-installed');

// Platform and architecture count too: compilers and linters come as one binary per platform.
const fingerprint = (root) =>
  createHash('sha256')
    .update(`${process.platform} ${process.arch}\n`)
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');

const packagesOf = (path) => JSON.parse(readFileSync(path, 'utf8')).packages ?? {};

/** npm's own record of its last install names every package of the lock file in the same version (optional ones aside). */
const npmInstalledAll = (root) => {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const present = packagesOf(record);
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([path, wanted]) =>
      !path.startsWith('node_modules/') || wanted.optional === true || present[path]?.version === wanted.version,
  );
};

/** Why an install is needed, as the end of "installing, because …"; undefined where node_modules is up to date. */
export const reasonToInstall = (root) => {
  if (!existsSync(join(root, 'node_modules'))) return 'node_modules is missing';
  if (existsSync(noteOf(root))) {
    return readFileSync(noteOf(root), 'utf8') === fingerprint(root) ? undefined : 'package-lock.json has changed';
  }
  if (!npmInstalledAll(root)) return 'node_modules is not what package-lock.json asks for';
  rememberInstall(root);
  return undefined;
};

/** Keeps the fingerprint inside node_modules: `npm ci` empties that folder first, so a broken install leaves no note. */
export const rememberInstall = (root) => {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(noteOf(root), fingerprint(root));
};
