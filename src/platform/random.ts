/** Where randomness comes from. */
export interface Random {
  /** A uniformly distributed integer, 0 to 2^32 - 1. */
  uint32(): number;
}

/** A number from 0 (included) to 1 (excluded). */
export const fraction = (random: Random): number => random.uint32() / 0x1_0000_0000;

/** `bytes` random bytes in lower-case hexadecimal. */
export const randomHex = (random: Random, bytes: number): string => {
  let out = '';
  while (out.length < bytes * 2) out += random.uint32().toString(16).padStart(8, '0');
  return out.slice(0, bytes * 2);
};

/** A version 4 UUID (RFC 9562), as the API server gives to objects. */
export const randomUuid = (random: Random): string => {
  const hex = randomHex(random, 16);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
};
