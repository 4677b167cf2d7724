import { describe, expect, it } from 'vitest';
import { slowStart } from './slow-start.ts';

/** Runs `count` tasks and notes how many were in flight together each time the last of a batch had started. */
const run = async (count: number, bound: number, succeeds: (index: number) => boolean) => {
  const batches: number[] = [];
  let inFlight = 0;
  let ran = 0;
  const tasks = Array.from({ length: count }, (_, index) => async () => {
    inFlight++;
    ran++;
    await Promise.resolve();
    if (inFlight > 0) batches.push(inFlight);
    inFlight = 0;
    return succeeds(index);
  });
  return { ok: await slowStart(tasks, bound), batches, ran: () => ran };
};

describe('slow start', () => {
  it('doubles up to its bound while all goes well', async () => {
    const { ok, batches } = await run(20, 4, () => true);
    expect(ok).toBe(true);
    expect(batches).toEqual([1, 2, 4, 4, 4, 4, 1]);
  });

  it('goes on past failures as long as something succeeds', async () => {
    const { ok, ran } = await run(40, 8, (index) => index % 3 === 0);
    expect([ok, ran()]).toEqual([true, 40]);
  });

  it('asks a server that refuses everything three times only', async () => {
    const { ok, ran } = await run(1000, 16, () => false);
    expect([ok, ran()]).toEqual([false, 3]);
  });

  it('throws what a task threw, after the others of its batch have ended', async () => {
    const ended: string[] = [];
    const task = (name: string) => async () => {
      await Promise.resolve();
      ended.push(name);
      return true;
    };
    const broken = async () => {
      throw new TypeError('a bug');
    };
    await expect(slowStart([task('a'), broken, task('b')], 8)).rejects.toThrow('a bug');
    expect(ended).toEqual(['a', 'b']);
  });

  it('has nothing to do for nothing', async () => {
    expect(await slowStart([], 8)).toBe(true);
  });
});
