import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Files } from './files.ts';

/** The files of this machine. */
export const nodeFiles = (): Files => {
  let writes = 0;
  return {
    read: (path) => readFile(path),
    async write(path, data, mode) {
      const beside = `${path}.${process.pid}-${writes++}.tmp`;
      await mkdir(dirname(path), { recursive: true });
      try {
        await writeFile(beside, data, { mode, flag: 'wx' });
        // The mode given above is narrowed by the umask of the process.
        await chmod(beside, mode);
        await rename(beside, path);
      } catch (error) {
        await rm(beside, { force: true });
        throw error;
      }
    },
    remove: (path) => rm(path, { force: true }),
  };
};
