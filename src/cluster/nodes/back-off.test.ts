import { describe, expect, it } from 'vitest';
import { createBackOff, goSeconds } from './back-off.ts';

describe('the kubelet back-off', () => {
  it('doubles from 10 s to 5 minutes', () => {
    const backOff = createBackOff();
    const delays = [0, 1, 2, 3, 4, 5, 6].map((i) => {
      backOff.next('key', i * 1000, i * 1000);
      return backOff.delayOf('key') / 1000;
    });
    expect(delays).toEqual([10, 20, 40, 80, 160, 300, 300]);
  });

  it('holds for its delay, counted from the event or from its last failure', () => {
    const backOff = createBackOff();
    expect(backOff.holds('key', 0)).toBe(false);
    backOff.next('key', 1000, 2000);
    expect([backOff.holdsSince('key', 1000, 10_999), backOff.holdsSince('key', 1000, 11_000)]).toEqual([true, false]);
    expect([backOff.holds('key', 11_999), backOff.holds('key', 12_000)]).toEqual([true, false]);
  });

  it('starts over after ten minutes', () => {
    const backOff = createBackOff();
    backOff.next('key', 0, 0);
    backOff.next('key', 600_000, 600_000);
    expect(backOff.delayOf('key')).toBe(20_000);
    backOff.next('key', 1_200_001, 1_200_001);
    expect(backOff.delayOf('key')).toBe(10_000);
    expect(backOff.holdsSince('key', 1_800_002, 1_800_003)).toBe(false);
  });

  it('forgets by prefix', () => {
    const backOff = createBackOff();
    for (const key of ['a_1', 'a_2', 'b_1']) backOff.next(key, 0, 0);
    backOff.forget('a');
    expect(['a_1', 'a_2', 'b_1'].map(backOff.delayOf)).toEqual([0, 0, 10_000]);
  });

  it('is spelt as Go spells durations', () => {
    expect([10_000, 160_000, 300_000].map(goSeconds)).toEqual(['10s', '2m40s', '5m0s']);
  });
});
