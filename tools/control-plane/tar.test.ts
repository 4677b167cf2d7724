import { mkdtempSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command } from './command.ts';
import { tar } from './tar.ts';

const entries = [
  { kind: 'folder', path: 'bin/' },
  { kind: 'file', path: 'bin/tool', content: Buffer.alloc(1000, 'x') },
  { kind: 'link', path: 'bin/sh', target: 'tool' },
  { kind: 'file', path: 'note', content: Buffer.from('hello'), mode: 0o640 },
] as const;

describe('a tar archive', () => {
  it('is what the system’s tar unpacks to the same files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tar-'));
    try {
      writeFileSync(join(folder, 'a.tar'), tar(entries));
      await command('tar', ['-xf', 'a.tar'], { cwd: folder });
      expect(readFileSync(join(folder, 'bin/tool'), 'utf8')).toBe('x'.repeat(1000));
      expect(readlinkSync(join(folder, 'bin/sh'))).toBe('tool');
      expect(statSync(join(folder, 'note')).mode & 0o777).toBe(0o640);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('refuses a path that the format cannot hold', () => {
    expect(() => tar([{ kind: 'folder', path: 'a'.repeat(101) }])).toThrow('path too long');
  });
});
