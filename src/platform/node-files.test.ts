import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from './node-files.ts';

describe('the files of Node', () => {
  const files = nodeFiles();
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'files-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('writes with exactly the given permissions, makes folders, and leaves nothing beside', async () => {
    const path = join(folder, 'deep', 'file');
    await files.write(path, 'one', 0o666);
    await files.write(path, new TextEncoder().encode('two'), 0o600);
    expect(Buffer.from(await files.read(path)).toString()).toBe('two');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'deep'))).toEqual(['file']);
  });

  it('removes a file, and does nothing where there is none', async () => {
    const path = join(folder, 'file');
    await files.write(path, '', 0o600);
    await files.remove(path);
    await files.remove(path);
    await expect(files.read(path)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('leaves nothing beside when it cannot replace the file', async () => {
    await files.write(join(folder, 'taken', 'inside'), '', 0o600);
    await expect(files.write(join(folder, 'taken'), '', 0o600)).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['taken']);
  });
});
