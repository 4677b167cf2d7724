import type { Random } from '../platform/index.ts';

/** A 32-bit hash of a text (FNV-1a), to make a seed out of a name. */
export const seedOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
};

/** splitmix32: spreads one seed over as many words as a generator's state needs. */
const splitmix = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
};

const rotateLeft = (x: number, bits: number): number => (x << bits) | (x >>> (32 - bits));

/** xoshiro128** (Blackman and Vigna): the same seed gives the same numbers on every machine. Not for secrets. */
export const seededRandom = (seed: number): Random => {
  const next = splitmix(seed);
  let [a, b, c, d] = [next(), next(), next(), next()];
  return {
    uint32: () => {
      const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
      const shifted = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= shifted;
      d = rotateLeft(d, 11);
      return result;
    },
  };
};
