import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineSplitter, LineTooLongError } from './line-splitter.ts';

const split = (chunks: readonly Uint8Array[]): { readonly lines: string[]; readonly rest: string } => {
  const lines: string[] = [];
  const splitter = createLineSplitter((line) => lines.push(line.toString()));
  for (const chunk of chunks) splitter.push(chunk);
  return { lines, rest: splitter.rest().toString() };
};

describe('splitting a stream into lines', () => {
  it('gives the same lines wherever the stream is cut, within characters too', () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\n'));
    fc.assert(
      fc.property(fc.array(line), fc.string(), fc.array(fc.nat(40)), (lines, tail, cuts) => {
        const rest = tail.replaceAll('\n', '');
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join('') + rest);
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const size of cuts) {
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        chunks.push(bytes.subarray(at));
        const whole = split([bytes]);
        expect(split(chunks)).toEqual(whole);
        expect(whole.lines).toEqual(lines.map((text) => Buffer.from(text).toString()));
      }),
    );
  });

  it('leaves out empty lines', () => {
    expect(split([Buffer.from('a\n\n\nb\n')]).lines).toEqual(['a', 'b']);
  });

  it('refuses a line without end before it fills the memory', () => {
    const splitter = createLineSplitter(() => undefined, 10);
    splitter.push(Buffer.from('0123456789'));
    expect(() => splitter.push(Buffer.from('0'))).toThrow(LineTooLongError);
  });
});
