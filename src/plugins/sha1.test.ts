import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha1 } from './sha1.ts';

describe('SHA-1', () => {
  it('is what FIPS 180-4 gives as an example', () => {
    expect(sha1(new TextEncoder().encode('abc'))).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
  });

  it('agrees with OpenSSL for texts of any length, also around the border of a block', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(sha1(bytes)).toBe(createHash('sha1').update(bytes).digest('hex'));
      }),
    );
  });
});
