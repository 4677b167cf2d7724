import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

const kubeconfig = fileURLToPath(new URL('../../.modelserving/kubeconfig', import.meta.url));

describe('the demonstration, without a terminal', { timeout: 120_000 }, () => {
  it('rolls out in place, proves it, recovers from a bad image, and ends with 0', async () => {
    const { code, stdout, stderr } = await runCli(['dev']);
    expect(stderr).toBe('');
    expect(stdout.match(/Pods deleted: 0, Pods created: 0/g)).toHaveLength(2);
    expect(stdout).toMatch(/the image cannot be pulled/);
    expect(code).toBe(0);
    expect(existsSync(kubeconfig)).toBe(false);
  });

  it('leaves nothing behind on Ctrl-C and exits 0', async () => {
    let sent = false;
    const { code } = await runCli(['dev', '--port', '6575'], {
      onOutput: (text, kill) => {
        if (sent || !text.includes('waiting until every Pod is Ready')) return;
        sent = true;
        kill('SIGINT');
      },
    });
    expect(sent).toBe(true);
    expect(code).toBe(0);
    expect(existsSync(kubeconfig)).toBe(false);
  });
});
