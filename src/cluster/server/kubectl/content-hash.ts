const offsets: readonly number[] = [0x811c9dc5, 0x050c5d1f];
const prime = 0x01000193;

/** 64 bits of FNV-1a over a text, twice 32 with different starts, in upper-case hexadecimal. For caches, not for secrets. */
export const contentHash = (text: string): string =>
  offsets
    .map((offset) => {
      let hash = offset;
      for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), prime);
      return (hash >>> 0).toString(16).padStart(8, '0');
    })
    .join('')
    .toUpperCase();
