/**
 * SHA-1 (FIPS 180-4) as lower-case hexadecimal. Not for secrets: LeaderWorkerSet names its groups by it, and plugins are
 * pure, so they take no crypto from the machine.
 */
export const sha1 = (bytes: Uint8Array): string => {
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  const padded = pad(bytes);
  for (let at = 0; at < padded.byteLength; at += 64) compress(state, new DataView(padded.buffer, at, 64));
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
};

/** The message, a one bit, zeros, and the length in bits as 64 bits: a multiple of 64 bytes. */
const pad = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return padded;
};

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

const compress = (state: Int32Array, block: DataView): void => {
  const schedule = new Int32Array(80);
  const at = (index: number): number => schedule[index] ?? 0;
  for (let t = 0; t < 80; t += 1) {
    schedule[t] = t < 16 ? block.getInt32(t * 4) : rotate(at(t - 3) ^ at(t - 8) ^ at(t - 14) ^ at(t - 16), 1);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let t = 0; t < 80; t += 1) {
    const next = (rotate(a, 5) + mix(t, b, c, d) + e + at(t)) | 0;
    [a, b, c, d, e] = [next, a, rotate(b, 30), c, d];
  }
  state.set([a, b, c, d, e].map((word, index) => word + (state[index] ?? 0)));
};

/** The function and the constant of one of the four quarters, summed. */
const mix = (t: number, b: number, c: number, d: number): number => {
  if (t < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (t < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (t < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
};
