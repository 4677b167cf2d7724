import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planOrdinals } from './ordinals.ts';

const descending = (ordinals: readonly number[]): readonly number[] => [...ordinals].sort((a, b) => b - a);

describe('which ordinals stay, come and go', () => {
  it('fills the lowest gaps and renumbers nothing', () => {
    const plan = planOrdinals({ staying: [1, 3], leaving: [], want: 4, removal: [3, 1] });
    expect(plan).toEqual({ keep: [1, 3], create: [0, 2], remove: [] });
  });

  it('removes the first victims', () => {
    const plan = planOrdinals({ staying: [0, 1, 2, 3], leaving: [], want: 2, removal: [0, 3, 2, 1] });
    expect(plan).toEqual({ keep: [1, 2], create: [], remove: [0, 3] });
  });

  it('makes again what is on its way out, before it fills a gap', () => {
    const plan = planOrdinals({ staying: [3, 4], leaving: [5], want: 4, removal: [4, 3] });
    expect(plan).toEqual({ keep: [3, 4], create: [0, 5], remove: [] });
    expect(planOrdinals({ staying: [1], leaving: [7, 3, 5], want: 2, removal: [1] }).create).toEqual([3]);
  });

  it('always ends with as many as are wanted, each once, and touches none that may stay', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(30)), fc.nat(10), fc.nat(20), (existing, gone, want) => {
        const [leaving, staying] = [existing.slice(0, gone), existing.slice(gone)];
        const removal = descending(staying);
        const { keep, create, remove } = planOrdinals({ staying, leaving, want, removal });
        expect(new Set([...keep, ...create]).size).toBe(want);
        expect([...keep, ...remove].sort()).toEqual([...staying].sort());
        expect(create.length === 0 || remove.length === 0).toBe(true);
        expect(create.every((ordinal) => ordinal < want || leaving.includes(ordinal))).toBe(true);
      }),
    );
  });
});
