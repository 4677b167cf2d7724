import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clone } from './clone.ts';
import { deepFreeze } from './deep-freeze.ts';
import { jsonEqual } from './equal.ts';
import { isPlainObject } from './plain-object.ts';

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  );
};

describe('equality of JSON', () => {
  it('does not depend on the order of keys', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => jsonEqual(value, shuffled(value))));
  });

  it('agrees with what two values look like on the wire', () => {
    const small = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(small, small, (a, b) => {
        const spelling = (value: unknown): string => JSON.stringify(sortKeys(value));
        expect(jsonEqual(a, b)).toBe(spelling(a) === spelling(b));
      }),
    );
  });

  it('takes an undefined member for an absent one, and null for a value', () => {
    expect(jsonEqual({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(jsonEqual({ a: 1 }, { a: 1, b: undefined })).toBe(true);
    expect(jsonEqual({ a: null }, {})).toBe(false);
    expect(jsonEqual({ a: undefined }, { b: undefined })).toBe(true);
  });

  it('tells arrays from objects and keeps their order', () => {
    expect(jsonEqual([], {})).toBe(false);
    expect(jsonEqual([1, 2], [2, 1])).toBe(false);
  });
});

describe('clone and deepFreeze', () => {
  it('make an equal copy that shares nothing with a frozen original', () => {
    fc.assert(
      fc.property(fc.object({ withNullPrototype: false }), (value) => {
        const original = deepFreeze(value);
        const copy = clone(original);
        expect(jsonEqual(copy, original)).toBe(true);
        for (const key of Object.keys(copy)) Reflect.set(copy, key, 'changed');
        expect(jsonEqual(original, value)).toBe(true);
      }),
    );
  });

  it('make a write to a frozen object throw', () => {
    const frozen = deepFreeze({ metadata: { labels: { app: 'llm' } } });
    expect(() => {
      frozen.metadata.labels.app = 'other';
    }).toThrow(TypeError);
  });
});

const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isPlainObject(value)) return value === 0 ? 0 : value;
  const entries = Object.entries(value).map(([key, item]) => [key, sortKeys(item)] as const);
  return { members: entries.sort(([a], [b]) => (a < b ? -1 : 1)) };
};
