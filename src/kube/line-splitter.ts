/** Takes a byte stream in chunks, cut anywhere, and hands out its lines. */
export interface LineSplitter {
  push(chunk: Uint8Array): void;
  /** What came after the last newline; empty after a stream that ended well. */
  rest(): Buffer;
}

const newline = 0x0a;

export class LineTooLongError extends RangeError {
  override readonly name = 'LineTooLongError';
}

/**
 * Splits at newlines over bytes, so that a character cut in two by a chunk is never decoded in halves. Lines are views
 * into the chunk where possible and must not be kept. Empty lines are left out.
 *
 * @param longest  bytes; a longer line throws a LineTooLongError from `push` rather than filling the memory
 */
export const createLineSplitter = (
  onLine: (line: Buffer) => void,
  longest: number = 64 * 1024 * 1024,
): LineSplitter => {
  // The pieces of a line whose newline has not come yet: joined once, at its end, however many chunks it takes.
  let pieces: Buffer[] = [];
  let size = 0;

  const keep = (piece: Buffer): void => {
    size += piece.length;
    if (size > longest) throw new LineTooLongError(`a line of the watch is longer than ${longest} bytes`);
    if (piece.length > 0) pieces.push(piece);
  };

  const take = (): Buffer => {
    const line = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
    pieces = [];
    size = 0;
    return line;
  };

  return {
    push(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      let start = 0;
      let end = bytes.indexOf(newline);
      while (end >= 0) {
        keep(bytes.subarray(start, end));
        const line = take();
        if (line.length > 0) onLine(line);
        start = end + 1;
        end = bytes.indexOf(newline, start);
      }
      keep(bytes.subarray(start));
    },
    rest: take,
  };
};
