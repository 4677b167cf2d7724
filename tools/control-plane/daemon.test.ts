import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bed } from './bed.ts';
import { becomes, daemonRuns, daemonServes, logTail, startDaemon, startTimeOf, stopDaemon } from './daemon.ts';

describe.skipIf(process.platform !== 'linux')('a daemon of the control plane (needs /proc)', () => {
  let bed: Bed;
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), 'daemon-'));
    bed = { folder, name: 'cp-test', ports: { api: 0, etcd: 0, etcdPeer: 0, kubelet: 0 }, podNetwork: '10.0.0' };
  });
  afterEach(async () => {
    await stopDaemon(bed, 'd');
    rmSync(bed.folder, { recursive: true });
  });

  it('is ended by force where it does not listen to TERM', async () => {
    startDaemon(bed, 'd', process.execPath, [
      '-e',
      "process.on('SIGTERM', () => 0); console.log('up'); setInterval(() => 0, 9)",
    ]);
    await becomes(() => logTail(bed, 'd') === 'up', 10_000);
    await stopDaemon(bed, 'd', 300);
    expect(daemonRuns(bed, 'd')).toBe(false);
  });

  it('is not taken for a later process with the same id', async () => {
    const own = { pid: process.pid, startTime: `${startTimeOf(process.pid)}0` };
    writeFileSync(join(bed.folder, 'd.pid'), JSON.stringify(own));
    expect(daemonRuns(bed, 'd')).toBe(false);
    // Would end this very test where the start time were not compared.
    await stopDaemon(bed, 'd');
  });

  it('that dies is reported with the end of its log', async () => {
    startDaemon(bed, 'd', process.execPath, ['-e', "console.log('no such flag'); process.exit(1)"]);
    await expect(daemonServes(bed, 'd', () => Promise.reject(new Error('refused')))).rejects.toThrow('no such flag');
  });

  it('that never answers is reported with what the last attempt said', async () => {
    startDaemon(bed, 'd', process.execPath, ['-e', 'setInterval(() => 0, 1000)']);
    await expect(daemonServes(bed, 'd', () => Promise.reject(new Error('refused')), 300)).rejects.toThrow('refused');
  });
});
