/**
 * FNV-1, 32 bit (multiply, then xor; FNV-1a does it the other way round), as Go's `fnv.New32`.
 *
 * @returns an unsigned 32-bit integer
 */
export const fnv1 = (bytes: Uint8Array): number => {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash >>> 0;
};

/** Letters and digits that spell no word (no vowels, none that look alike): k8s.io/apimachinery util/rand. */
const safeAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Kubernetes' `rand.SafeEncodeString`: each character by its code, so that decimal digits become `[4-9bcdf]`. */
export const safeEncode = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (code) => safeAlphabet.charAt(code % safeAlphabet.length)).join('');
