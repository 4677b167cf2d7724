// Starts the control plane and the node once for all real tests, in a temporary folder, and ends them again.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { missingForNode, missingForPlane } from '../../tools/control-plane/requirements.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The state folder of the running control plane; empty where there is none. */
    readonly bedFolder: string;
    /** Why there is none; empty where there is one. */
    readonly bedMissing: string;
  }
}

const project: string = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the bed; its process ends it again when our end of its standard input closes, even where we are killed. */
const startBed = async (folder: string): Promise<ChildProcess> => {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(project, 'tools/control-plane/main.ts'), 'hold', '--state', folder],
    { cwd: project, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const output = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    output.on('line', (line) => {
      if (line === 'ready') resolve();
    });
    child.on('error', reject);
    child.on('close', () => reject(new Error('the control plane did not start; see above')));
  });
  return child;
};

const endBed = async (child: ChildProcess): Promise<void> => {
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdin?.end();
  if ((await closed) !== 0) throw new Error('the control plane was not taken down cleanly; see above');
};

export const setup = async (vitest: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const missing = [...(await missingForPlane()), ...missingForNode()];
  vitest.provide('bedMissing', missing.join('; '));
  if (missing.length > 0) {
    vitest.provide('bedFolder', '');
    process.stderr.write(`the real control plane is not available: ${missing.join('; ')}\n`);
    return undefined;
  }
  const parent = mkdtempSync(join(tmpdir(), 'real-'));
  const bed = join(parent, 'bed');
  const child = await startBed(bed);
  vitest.provide('bedFolder', bed);
  return async () => {
    await endBed(child);
    rmSync(parent, { recursive: true, force: true });
  };
};
