import { describe, expect, it } from 'vitest';
import { fraction } from '../platform/index.ts';
import { seededRandom, seedOf } from './seeded-random.ts';

const draw = (seed: number, count: number): number[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random.uint32());
};

describe('seeded randomness', () => {
  it('repeats itself for the same seed and differs for another one', () => {
    expect(draw(7, 50)).toEqual(draw(7, 50));
    expect(draw(7, 50)).not.toEqual(draw(8, 50));
  });

  it('starts well even from a seed of zero', () => {
    expect(new Set(draw(0, 1000)).size).toBeGreaterThan(995);
  });

  it('spreads evenly over the whole range', () => {
    const random = seededRandom(3);
    const buckets = new Array<number>(16).fill(0);
    for (let i = 0; i < 16_000; i++) {
      const bucket = Math.floor(fraction(random) * 16);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    for (const count of buckets) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  it('makes the FNV-1a hash of a name its seed', () => {
    expect(seedOf('')).toBe(0x811c9dc5);
    expect(seedOf('a')).toBe(0xe40c292c);
  });
});
