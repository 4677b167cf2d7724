const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const lowerBit = 0x20;
const key = Buffer.from('"managedFields":[');

/** A part of a line, from `from` (included) to `to` (excluded). */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** The position after the string whose opening quote stands at `start`; the end of the line where it never closes. */
const afterString = (line: Uint8Array, start: number): number => {
  let at = start + 1;
  while (at < line.length) {
    const byte = line[at];
    if (byte === quote) return at + 1;
    at += byte === backslash ? 2 : 1;
  }
  return line.length;
};

/**
 * The position after the value whose opening bracket stands at `start`, or undefined where it never closes. Half of all
 * bytes of a watch pass through here, hence one flat loop: `| lowerBit` makes `[` and `{` one case, `]` and `}` another.
 */
const afterBrackets = (line: Uint8Array, start: number): number | undefined => {
  const { length } = line;
  let depth = 0;
  for (let at = start; at < length; at++) {
    const byte = line[at] ?? 0;
    if (byte === quote) {
      for (at++; at < length && line[at] !== quote; at++) if (line[at] === backslash) at++;
    } else if ((byte | lowerBit) === openBrace) depth++;
    else if ((byte | lowerBit) === closeBrace && --depth === 0) return at + 1;
  }
  return undefined;
};

const equals = (line: Uint8Array, range: ByteRange | undefined, text: string): boolean => {
  if (range === undefined || range.to - range.from !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (line[range.from + i] !== text.charCodeAt(i)) return false;
  return true;
};

/**
 * The bytes of `object.metadata.managedFields` in the line of a watch event, with the comma that goes with them, so
 * that the line without them is the same event without that field; undefined where there is nothing to cut.
 *
 * In Pods these bytes are nearly half of the line and nobody reads them, so they go before the line is parsed. The
 * search is for `"managedFields":[` as bytes. Inside a JSON string its quotes would be escaped, so only a key can
 * match; that it is the key of the object's own metadata, and not a field of that name somewhere in a spec or in the
 * data of a ControllerRevision, is read from the brackets before it. Another layout (spaces after the colon, which
 * Kubernetes does not write) is left alone.
 */
export const managedFieldsIn = (line: Buffer): ByteRange | undefined => {
  let match = line.indexOf(key);
  if (match < 0) return undefined;
  // keys[d] is the key last read at depth d, so the path of the byte at `at` is keys[1], keys[2], … keys[depth].
  const keys: (ByteRange | undefined)[] = [];
  let depth = 0;
  let at = 0;
  while (at < line.length) {
    if (at > match) {
      match = line.indexOf(key, at);
      if (match < 0) return undefined;
    }
    const byte = line[at];
    if (byte === quote) {
      if (at === match && depth === 3 && equals(line, keys[1], 'object') && equals(line, keys[2], 'metadata')) {
        return withComma(line, at);
      }
      const end = afterString(line, at);
      if (line[end] === colon) keys[depth] = { from: at + 1, to: end - 1 };
      at = end;
      continue;
    }
    if (byte === openBrace || byte === openBracket) {
      depth++;
      keys[depth] = undefined;
    } else if (byte === closeBrace || byte === closeBracket) depth--;
    at++;
  }
  return undefined;
};

const withComma = (line: Buffer, from: number): ByteRange | undefined => {
  const to = afterBrackets(line, from + key.length - 1);
  if (to === undefined) return undefined;
  if (line[to] === comma) return { from, to: to + 1 };
  if (line[from - 1] === comma) return { from: from - 1, to };
  return { from, to };
};
