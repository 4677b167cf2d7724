import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringifyAsGo } from './go-json.ts';

describe('JSON as Go writes it', () => {
  it('sorts keys by their bytes, also where they look like numbers or lie beyond the first plane', () => {
    expect(stringifyAsGo({ b: 1, a: { d: 2, c: 3 }, '10': 4, '9': 5 })).toBe('{"10":4,"9":5,"a":{"c":3,"d":2},"b":1}');
    expect(stringifyAsGo({ '\u{1f600}': 1, '\uff5e': 2 })).toBe('{"\uff5e":2,"\u{1f600}":1}');
  });

  it('escapes the five characters the API server escapes, in keys too', () => {
    expect(stringifyAsGo({ '<k>': 'a && b \u2028\u2029' })).toBe(
      '{"\\u003ck\\u003e":"a \\u0026\\u0026 b \\u2028\\u2029"}',
    );
  });

  it('leaves undefined members out', () => {
    expect(stringifyAsGo({ a: undefined, b: [null] })).toBe('{"b":[null]}');
    expect(() => stringifyAsGo(undefined)).toThrow(TypeError);
  });

  it('means the same as what JSON.stringify writes, and stands still when read and written again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = stringifyAsGo(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(stringifyAsGo(JSON.parse(text))).toBe(text);
      }),
    );
  });
});
