import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  multiplyQuantity,
  parseQuantity,
  QuantityError,
  quantitiesEqual,
} from './quantity.ts';

const suffixes = [
  '',
  'n',
  'u',
  'm',
  'k',
  'M',
  'G',
  'T',
  'P',
  'E',
  'Ki',
  'Mi',
  'Gi',
  'Ti',
  'Pi',
  'Ei',
  'e3',
  'E-2',
  'e9',
];

const aQuantity = fc
  .tuple(fc.boolean(), fc.nat(99_999), fc.option(fc.nat(9999)), fc.constantFrom(...suffixes))
  .map(([minus, whole, part, suffix]) => `${minus ? '-' : ''}${whole}${part === null ? '' : `.${part}`}${suffix}`);

describe('a quantity', () => {
  it.each([
    ['4096Mi', '4Gi'],
    ['1.5Gi', '1536Mi'],
    ['1024', '1024'],
    ['1Ki', '1Ki'],
    ['512Ki', '512Ki'],
    ['0.5Ki', '512'],
    ['0.1Ki', '102400m'],
    ['1000m', '1'],
    ['0.5', '500m'],
    ['100000', '100k'],
    ['1500', '1500'],
    ['1e3', '1e3'],
    ['1e4', '10e3'],
    ['1E', '1E'],
    ['.5', '500m'],
    ['-1500m', '-1500m'],
    ['-1.5Gi', '-1536Mi'],
    ['0Gi', '0'],
    ['0.0000000001', '1n'],
    ['1e99', '1e99'],
    ['2e99', '2e99'],
    ['1500Mi', '1500Mi'],
    ['Mi', '0'],
    ['9Ei', '9223372036854775807'],
  ])('written %s is stored by the API server as %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it.each(['', ' 1', '1 ', '1.2.3', '1K', '1mi', '1e', '1e+', '--1', '1Mi2', '0x10', 'NaN'])('is not %j', (text) => {
    expect(() => parseQuantity(text)).toThrow(QuantityError);
  });

  it('keeps its value when it is written canonically, and the canonical text stands still', () => {
    fc.assert(
      fc.property(aQuantity, (text) => {
        const canonical = canonicalQuantity(text);
        expect(quantitiesEqual(parseQuantity(canonical), parseQuantity(text))).toBe(true);
        expect(canonicalQuantity(canonical)).toBe(canonical);
      }),
    );
  });

  it('is equal across formats where the value is', () => {
    expect(quantitiesEqual(parseQuantity('1Gi'), parseQuantity('1073741824'))).toBe(true);
    expect(quantitiesEqual(parseQuantity('1G'), parseQuantity('1Gi'))).toBe(false);
    expect(quantitiesEqual(parseQuantity(2), parseQuantity('2000m'))).toBe(true);
  });

  it('adds, multiplies and compares exactly', () => {
    expect(formatQuantity(addQuantities(parseQuantity('100m'), parseQuantity('0.9')))).toBe('1');
    expect(formatQuantity(addQuantities(parseQuantity('0'), parseQuantity('1Gi')))).toBe('1Gi');
    expect(formatQuantity(multiplyQuantity(parseQuantity('512Mi'), 4))).toBe('2Gi');
    expect(compareQuantities(parseQuantity('1Gi'), parseQuantity('1G'))).toBeGreaterThan(0);
    expect(compareQuantities(parseQuantity('-1'), parseQuantity('1n'))).toBeLessThan(0);
    expect(compareQuantities(parseQuantity('1k'), parseQuantity('1e3'))).toBe(0);
  });

  it('does not choke on an exponent nobody needs', () => {
    expect(canonicalQuantity('10e999999999')).toMatch(/^\d{1,3}e\d+$/);
    expect(canonicalQuantity('1e-999999999')).toBe('1e-9');
  });
});
