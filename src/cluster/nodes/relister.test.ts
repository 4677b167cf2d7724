import { describe, expect, it } from 'vitest';
import { createVirtualPlatform, type VirtualPlatform } from '../../simulation/index.ts';
import type { PodRecord } from './records.ts';
import { createRelister, type Relister } from './relister.ts';

const record = (ip: string): PodRecord => ({ sandbox: { ip, ready: true }, containers: [] });

const setUp = (): { machine: VirtualPlatform; relister: Relister; set(ip: string): void; seen: string[] } => {
  const machine = createVirtualPlatform();
  const seen: string[] = [];
  let now = record('0');
  const parts = { clock: machine.clock, timers: machine.timers, view: () => now };
  const relister = createRelister(parts, (uid) => seen.push(`${machine.clock.monotonic()} ${uid}`));
  return {
    machine,
    relister,
    seen,
    set: (ip) => {
      now = record(ip);
      relister.changed('u');
    },
  };
};

describe('looking at the runtime', () => {
  it('happens at whole seconds, and only after a change', async () => {
    const { machine, relister, set, seen } = setUp();
    await machine.advance(2300);
    expect(machine.pending()).toBe(0);
    set('1');
    expect(relister.view('u').sandbox?.ip).toBeUndefined();
    await machine.advance(10_000);
    expect(seen).toEqual(['3000 u']);
    expect(relister.view('u').sandbox?.ip).toBe('1');
    expect(machine.pending()).toBe(0);
  });

  it('gives a view that is as old as the second before the first change since', async () => {
    const { machine, relister, set } = setUp();
    await machine.advance(2300);
    expect(relister.viewedAtMs('u')).toBe(2000);
    set('1');
    await machine.advance(600);
    set('2');
    expect(relister.viewedAtMs('u')).toBe(2000);
    await machine.advance(100);
    expect([relister.viewedAtMs('u'), relister.view('u').sandbox?.ip]).toEqual([3000, '2']);
  });

  it('lets who waits go first', async () => {
    const { machine, relister, set, seen } = setUp();
    set('1');
    relister.afterNext('u', () => seen.push('waited'));
    await machine.advance(1000);
    expect(seen).toEqual(['waited', '1000 u']);
  });
});
