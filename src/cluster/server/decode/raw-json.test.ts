import { describe, expect, it } from 'vitest';
import { compactAsGo, rawMember } from './raw-json.ts';

describe('the raw text of a member', () => {
  it('is found at the top level alone, with blanks, order and numbers as they were sent', () => {
    const body = '{"metadata": {"data": 1}, "x": "\\"data\\": 2", "data" : {"b": 1.0, "a": "}"} , "revision": 3}';
    expect(rawMember(body, 'data')).toBe('{"b": 1.0, "a": "}"}');
    expect(rawMember('{"a": [{"data": 1}]}', 'data')).toBeUndefined();
  });
});

describe('raw JSON written again', () => {
  it('loses blanks between tokens and has what HTML minds escaped, and nothing else changes', () => {
    expect(compactAsGo('{"b": 1.0, "a": "x  &&\\" <y>"}')).toBe('{"b":1.0,"a":"x  \\u0026\\u0026\\" \\u003cy\\u003e"}');
  });
});
