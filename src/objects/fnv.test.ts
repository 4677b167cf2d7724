import { describe, expect, it } from 'vitest';
import { fnv1, safeEncode } from './fnv.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('FNV-1, 32 bit', () => {
  // Published vectors: http://www.isthe.com/chongo/tech/comp/fnv (test_fnv.c)
  it.each([
    ['', 0x811c9dc5],
    ['a', 0x050c5d7e],
    ['foobar', 0x31f0b262],
    ['hello', 0xb6fa7167],
  ])('of %j', (text, hash) => {
    expect(fnv1(bytes(text))).toBe(hash);
  });
});

describe('safe encoding', () => {
  it('maps the decimal digits as Kubernetes does', () => {
    expect(safeEncode('0123456789')).toBe('456789bcdf');
  });
});
