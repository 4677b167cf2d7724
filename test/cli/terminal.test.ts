import { describe, expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

// Makes the process believe that its output is a terminal, where the cluster stays up until Ctrl-C.
const terminal = "Object.defineProperty(process.stdout, 'isTTY', { value: true });";
const asTerminal = { NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(terminal)}"` };

describe('the demonstration on a terminal', { timeout: 120_000 }, () => {
  it('stays up after its story, and Ctrl-C ends it at once', async () => {
    let sentAt = 0;
    const { code, stdout } = await runCli(['dev', '--port', '6576'], {
      env: asTerminal,
      onOutput: (text, kill) => {
        if (sentAt > 0 || !text.includes('Ctrl-C ends it.')) return;
        sentAt = performance.now();
        kill('SIGINT');
      },
    });
    expect(stdout).toContain('Stopped; nothing is left behind.');
    expect(code).toBe(0);
    expect(performance.now() - sentAt).toBeLessThan(15_000);
  });
});
