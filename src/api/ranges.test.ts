import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRanges, parseRanges, RangesError } from './ranges.ts';

const ordinals = fc.uniqueArray(fc.nat({ max: 60 }));

describe('ordinal ranges', () => {
  it('are maximal and ascending', () => {
    expect(formatRanges([7, 1, 0, 2, 3, 2])).toBe('0-3,7');
    expect(formatRanges([5])).toBe('5');
    expect(formatRanges([4, 5])).toBe('4-5');
    expect(formatRanges([])).toBe('');
  });

  it('say exactly which ordinals they were made of', () => {
    fc.assert(
      fc.property(ordinals, (set) => {
        expect(parseRanges(formatRanges(set))).toEqual([...set].sort((a, b) => a - b));
      }),
    );
  });

  it('never touch: two neighbours would be one range', () => {
    fc.assert(
      fc.property(ordinals, (set) => {
        const bounds = formatRanges(set)
          .split(',')
          .filter(Boolean)
          .map((range) => range.split('-').map(Number));
        for (const [index, [start = 0]] of bounds.entries()) {
          if (index > 0) expect(start).toBeGreaterThan((bounds[index - 1]?.at(-1) ?? 0) + 1);
        }
      }),
    );
  });

  it('are read in any order and with overlaps', () => {
    expect(parseRanges('7,2-3,0-2')).toEqual([0, 1, 2, 3, 7]);
  });

  it.each(['x', '1-', '-1', '3-1', '1,,2', '1 2', ' 1', '0-99999999999'])('refuse %j', (text) => {
    expect(() => parseRanges(text)).toThrow(RangesError);
  });
});
