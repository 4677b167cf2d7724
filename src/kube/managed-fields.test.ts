import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { managedFieldsIn } from './managed-fields.ts';

const cut = (text: string): string => {
  const line = Buffer.from(text);
  const range = managedFieldsIn(line);
  if (range === undefined) return text;
  return Buffer.concat([line.subarray(0, range.from), line.subarray(range.to)]).toString();
};

interface Event {
  readonly type: string;
  readonly object: { readonly metadata: Record<string, unknown> };
}

/** What the cut has to be equal to: parse, take the field out, write. */
const expected = (event: Event): Event => {
  const { managedFields, ...metadata } = event.object.metadata;
  return Array.isArray(managedFields) ? { ...event, object: { ...event.object, metadata } } : event;
};

describe('cutting managedFields out of the bytes of an event', () => {
  it.each([
    ['first', '{"type":"ADDED","object":{"metadata":{"managedFields":[{"a":[1]}],"name":"p"}}}', '{"name":"p"}'],
    ['last', '{"type":"ADDED","object":{"metadata":{"name":"p","managedFields":[{"a":[1]}]}}}', '{"name":"p"}'],
    [
      'in between',
      '{"type":"ADDED","object":{"metadata":{"name":"p","managedFields":[],"uid":"u"}}}',
      '{"name":"p","uid":"u"}',
    ],
    ['alone', '{"type":"ADDED","object":{"metadata":{"managedFields":["]","\\"]"]}}}', '{}'],
  ])('takes out the field and one comma where it stands %s', (_, line, metadata) => {
    expect(cut(line)).toBe(`{"type":"ADDED","object":{"metadata":${metadata}}}`);
  });

  it.each([
    ['in a spec', '{"type":"ADDED","object":{"metadata":{"name":"p"},"spec":{"managedFields":[1]}}}'],
    ['in the metadata of a template', '{"type":"ADDED","object":{"spec":{"metadata":{"managedFields":[1]}}}}'],
    ['in the data of a revision', '{"type":"ADDED","object":{"data":{"object":{"metadata":{"managedFields":[1]}}}}}'],
    ['within a string', '{"type":"ADDED","object":{"metadata":{"name":"\\"managedFields\\":[1]"}}}'],
    ['as the end of another key', '{"type":"ADDED","object":{"metadata":{"x\\"managedFields":[1]}}}'],
    ['of another event', '{"type":"ADDED","metadata":{"object":{"managedFields":[1]}}}'],
    ['in an array', '{"type":"ADDED","object":[{"managedFields":[1]}]}'],
    ['never closed', '{"type":"ADDED","object":{"metadata":{"managedFields":[1'],
    ['with space in it', '{"type":"ADDED","object":{"metadata":{"managedFields": [1]}}}'],
  ])('leaves a field of that name alone %s', (_, line) => {
    expect(cut(line)).toBe(line);
  });

  it('finds the right one after a wrong one', () => {
    const line = '{"type":"ADDED","object":{"data":{"managedFields":[1]},"metadata":{"managedFields":[2]}}}';
    expect(cut(line)).toBe('{"type":"ADDED","object":{"data":{"managedFields":[1]},"metadata":{}}}');
  });

  it('equals parsing the event and deleting the field, for any JSON around and within', () => {
    // Words that tempt a search over bytes: quotes, brackets, backslashes and the key itself, as keys and as values.
    const word = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        'managedFields',
        'metadata',
        'object',
        '"managedFields":[',
        '\\',
        '"',
        ']',
        '}',
        '{"',
        '\\"',
        'x"managedFields',
      ),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(word, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    const metadata = fc
      .tuple(
        fc.dictionary(word, value, { maxKeys: 3, noNullPrototype: true }),
        fc.array(value, { maxLength: 3 }),
        fc.boolean(),
      )
      .map(([others, managedFields, first]) => (first ? { managedFields, ...others } : { ...others, managedFields }));
    const event: fc.Arbitrary<Event> = fc
      .tuple(fc.dictionary(word, value, { maxKeys: 3, noNullPrototype: true }), metadata, fc.boolean())
      .map(([others, meta, first]) => ({
        type: 'MODIFIED',
        object: first ? { ...others, metadata: meta } : { ...others, metadata: meta, after: others },
      }));
    fc.assert(
      fc.property(event, (it) => {
        expect(JSON.parse(cut(JSON.stringify(it)))).toEqual(JSON.parse(JSON.stringify(expected(it))));
      }),
      { numRuns: 2000 },
    );
  });
});
