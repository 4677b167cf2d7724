import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planOrdinals } from './ordinals.ts';

const descending = (ordinals: readonly number[]): readonly number[] => [...ordinals].sort((a, b) => b - a);

describe('which ordinals stay, come and go', () => {
  it('fills the lowest gaps and renumbers nothing', () => {
    expect(planOrdinals([1, 3], 4, [3, 1])).toEqual({ keep: [1, 3], create: [0, 2], remove: [] });
  });

  it('removes the first victims', () => {
    expect(planOrdinals([0, 1, 2, 3], 2, [0, 3, 2, 1])).toEqual({ keep: [1, 2], create: [], remove: [0, 3] });
  });

  it('always ends with as many as are wanted, each once, and touches none that may stay', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(30)), fc.nat(20), (staying, want) => {
        const { keep, create, remove } = planOrdinals(staying, want, descending(staying));
        expect(new Set([...keep, ...create]).size).toBe(want);
        expect([...keep, ...remove].sort()).toEqual([...staying].sort());
        expect(create.length === 0 || remove.length === 0).toBe(true);
        expect(create.every((ordinal) => ordinal < want)).toBe(true);
      }),
    );
  });
});
