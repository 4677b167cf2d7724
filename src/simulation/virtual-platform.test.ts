import { describe, expect, it } from 'vitest';
import { type Platform, sleep } from '../platform/index.ts';
import { createVirtualPlatform, type VirtualPlatform } from './virtual-platform.ts';

const hour = 3_600_000;

/** Notes what ran and when. */
const aLog = (machine: Pick<VirtualPlatform, 'clock'>): { note(what: string): void; readonly entries: string[] } => {
  const entries: string[] = [];
  return { entries, note: (what) => entries.push(`${machine.clock.monotonic()} ${what}`) };
};

const tick = (platform: Platform, everyMs: number, options: { readonly background?: boolean } = {}): void => {
  platform.timers.after(everyMs, () => tick(platform, everyMs, options), options);
};

describe('virtual time', () => {
  it('stands still until it is told to move, and then moves exactly as far', async () => {
    const machine = createVirtualPlatform({ startMs: 1_000_000 });
    const log = aLog(machine);
    machine.timers.after(10, () => log.note('ten'));
    machine.timers.after(11, () => log.note('eleven'));
    expect([machine.clock.monotonic(), machine.clock.wall()]).toEqual([0, 1_000_000]);
    await machine.advance(10);
    expect(log.entries).toEqual(['10 ten']);
    await machine.advance(90);
    expect(log.entries).toEqual(['10 ten', '11 eleven']);
    expect([machine.clock.monotonic(), machine.clock.wall()]).toEqual([100, 1_000_100]);
  });

  it('runs tasks of one instant in the order in which they were added', async () => {
    const machine = createVirtualPlatform();
    const log = aLog(machine);
    for (const name of ['a', 'b', 'c', 'd']) machine.timers.after(5, () => log.note(name));
    await machine.advance(5);
    expect(log.entries).toEqual(['5 a', '5 b', '5 c', '5 d']);
  });

  it('lets every promise continuation run before the next task of the same instant', async () => {
    const machine = createVirtualPlatform();
    const log = aLog(machine);
    machine.timers.after(1, () => {
      void (async () => {
        for (let i = 0; i < 500; i++) await Promise.resolve();
        log.note('end of a chain of 500 continuations');
      })();
    });
    machine.timers.after(1, () => log.note('next task'));
    await machine.advance(1);
    expect(log.entries).toEqual(['1 end of a chain of 500 continuations', '1 next task']);
  });

  it('lets a sleeping function see the time it asked for', async () => {
    const machine = createVirtualPlatform();
    const seen: number[] = [];
    const work = (async () => {
      for (const ms of [3, 4, 5]) {
        await sleep(machine, ms);
        seen.push(machine.clock.monotonic());
      }
      return 'done';
    })();
    expect(await machine.complete(work, { timeoutMs: 100 })).toBe('done');
    expect(seen).toEqual([3, 7, 12]);
  });

  it('costs next to nothing while it is long', async () => {
    const machine = createVirtualPlatform();
    let ticks = 0;
    const beat = (): void => {
      ticks++;
      machine.timers.after(1000, beat);
    };
    beat();
    const before = performance.now();
    await machine.advance(5 * hour);
    expect(ticks).toBe(18_001);
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});

describe('waiting for something to become true', () => {
  it('stops right after the task that made it true', async () => {
    const machine = createVirtualPlatform();
    let value = 0;
    for (let i = 1; i <= 10; i++) {
      machine.timers.after(i, () => {
        value = i;
      });
    }
    await machine.runUntil(() => value === 4, { timeoutMs: 100 });
    expect([value, machine.clock.monotonic()]).toEqual([4, 4]);
  });

  it('fails at the timeout, and time has passed up to it', async () => {
    const machine = createVirtualPlatform();
    tick(machine, 7);
    await expect(machine.runUntil(() => false, { timeoutMs: 50 })).rejects.toThrow(/still false after 50 ms/);
    expect(machine.clock.monotonic()).toBe(50);
  });

  it('fails at once when nothing is left that could happen', async () => {
    const machine = createVirtualPlatform();
    await expect(machine.runUntil(() => false, { timeoutMs: hour })).rejects.toThrow(/nothing is left/);
    expect(machine.clock.monotonic()).toBe(0);
  });

  it('passes on how a piece of work failed', async () => {
    const machine = createVirtualPlatform();
    const work = sleep(machine, 5).then(() => {
      throw new RangeError('no');
    });
    await expect(machine.complete(work, { timeoutMs: 10 })).rejects.toThrow(RangeError);
  });
});

describe('a run that goes wrong', () => {
  it('fails loudly when a task throws', async () => {
    const machine = createVirtualPlatform();
    machine.timers.after(3, () => {
      throw new TypeError('a bug in a task');
    });
    await expect(machine.advance(10)).rejects.toThrow('a bug in a task');
    expect(machine.clock.monotonic()).toBe(3);
    await machine.advance(1); // the machine itself is still usable, to look around
  });

  it('refuses a second run inside a run', async () => {
    const machine = createVirtualPlatform();
    tick(machine, 1);
    const first = machine.advance(10);
    await expect(machine.advance(10)).rejects.toThrow(/already running/);
    await first;
  });

  it('ends a loop that never waits', async () => {
    const machine = createVirtualPlatform({ livelockSteps: 1000 });
    const spin = (): void => {
      machine.timers.after(0, spin);
    };
    machine.timers.after(1, spin);
    await expect(machine.advance(2)).rejects.toThrow(/without time passing/);
  });

  it('does not take NaN for a delay', () => {
    expect(() => createVirtualPlatform().timers.after(Number.NaN, () => undefined)).toThrow(RangeError);
  });
});

describe('pending tasks', () => {
  it('are counted without background timers and without cancelled ones', async () => {
    const machine = createVirtualPlatform();
    tick(machine, 5, { background: true });
    const cancel = machine.timers.after(7, () => undefined);
    machine.timers.after(9, () => undefined);
    expect([machine.pending(), machine.nextDueMs()]).toEqual([2, 7]);
    cancel();
    cancel();
    expect([machine.pending(), machine.nextDueMs()]).toEqual([1, 9]);
    await machine.advance(20);
    expect([machine.pending(), machine.nextDueMs()]).toEqual([0, undefined]);
  });

  it('stay right when thousands are cancelled, also after they ran', async () => {
    const machine = createVirtualPlatform();
    const ran: number[] = [];
    const cancels = Array.from({ length: 3000 }, (_, i) => machine.timers.after(i % 100, () => ran.push(i)));
    cancels.forEach((cancel, i) => {
      if (i % 3 !== 0) cancel();
    });
    expect(machine.pending()).toBe(1000);
    await machine.advance(100);
    for (const cancel of cancels) cancel();
    expect(machine.pending()).toBe(0);
    expect(ran).toHaveLength(1000);
    expect(ran.every((i) => i % 3 === 0)).toBe(true);
  });
});

describe('the two clocks', () => {
  it('come apart when the wall clock jumps, and timers do not care', async () => {
    const machine = createVirtualPlatform({ startMs: 0 });
    const log = aLog(machine);
    machine.timers.after(100, () => log.note('due'));
    machine.jumpWall(hour);
    expect([machine.clock.wall(), machine.clock.monotonic()]).toEqual([hour, 0]);
    machine.jumpWall(-2 * hour);
    await machine.advance(100);
    expect(log.entries).toEqual(['100 due']);
    expect(machine.clock.wall()).toBe(100 - hour);
  });

  it('can be skewed for one process alone', () => {
    const machine = createVirtualPlatform({ startMs: 0 });
    const node = machine.process('node');
    node.jumpWall(-500);
    expect([node.platform.clock.wall(), machine.clock.wall()]).toEqual([-500, 0]);
    expect(node.platform.clock.monotonic()).toBe(0);
  });
});

describe('a process', () => {
  it('does nothing more once killed, and takes no new timers', async () => {
    const machine = createVirtualPlatform();
    const operator = machine.process('operator');
    const log = aLog(machine);
    operator.platform.timers.after(5, () => log.note('operator'));
    machine.timers.after(6, () => log.note('machine'));
    await machine.advance(4);
    operator.kill();
    operator.platform.timers.after(1, () => log.note('a ghost'));
    expect([machine.pending(), operator.isAlive()]).toEqual([1, false]);
    await machine.advance(10);
    expect(log.entries).toEqual(['6 machine']);
  });

  it('catches up in order after a pause, at the time of its resume', async () => {
    const machine = createVirtualPlatform();
    const operator = machine.process('operator');
    const log = aLog(machine);
    operator.platform.timers.after(5, () => log.note('first'));
    const cancel = operator.platform.timers.after(6, () => log.note('cancelled while held'));
    operator.platform.timers.after(7, () => log.note('second'));
    operator.pause();
    await machine.advance(20);
    expect(log.entries).toEqual([]);
    cancel();
    operator.resume();
    operator.platform.timers.after(0, () => log.note('third'));
    await machine.advance(0);
    expect(log.entries).toEqual(['20 first', '20 second', '20 third']);
    expect(machine.pending()).toBe(0);
  });

  it('draws its own numbers, whatever others draw', () => {
    const draw = (other: number): number => {
      const machine = createVirtualPlatform({ seed: 4 });
      for (let i = 0; i < other; i++) machine.random.uint32();
      return machine.process('operator').platform.random.uint32();
    };
    expect(draw(0)).toBe(draw(9));
    const machine = createVirtualPlatform({ seed: 4 });
    expect(machine.process('a').platform.random.uint32()).not.toBe(machine.process('b').platform.random.uint32());
  });
});

describe('a seed', () => {
  const play = async (seed: number, ties: 'insertion' | 'seeded'): Promise<{ order: string[]; trace: number }> => {
    const machine = createVirtualPlatform({ seed, ties });
    const order: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      machine.timers.after(5, () => {
        order.push(name);
        machine.timers.after(machine.random.uint32() % 3, () => order.push(name.toUpperCase()));
      });
    }
    await machine.advance(10);
    return { order, trace: machine.fingerprint() };
  };

  it('decides everything', async () => {
    for (const ties of ['insertion', 'seeded'] as const) expect(await play(11, ties)).toEqual(await play(11, ties));
  });

  it('shuffles simultaneous tasks where that is asked for', async () => {
    const orders = new Set<string>();
    for (let seed = 0; seed < 20; seed++) orders.add((await play(seed, 'seeded')).order.slice(0, 6).join(''));
    expect(orders.size).toBeGreaterThan(5);
  });

  it('shows in the fingerprint', async () => {
    expect((await play(1, 'seeded')).trace).not.toBe((await play(2, 'seeded')).trace);
  });
});
