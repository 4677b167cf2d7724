import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../deep-freeze.ts';
import { jsonEqual } from '../equal.ts';
import { applyMergePatch, diffMergePatch } from './merge-patch.ts';

describe('a JSON merge patch', () => {
  // The examples of RFC 7396, appendix A.
  it.each<[unknown, unknown, unknown]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('of %j with %j is %j', (target, patch, result) => {
    expect(applyMergePatch(deepFreeze(target), deepFreeze(patch))).toEqual(result);
  });

  it('computed as the difference of two documents turns the first into the second', () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map(withoutNulls);
    fc.assert(
      fc.property(json, json, (from, to) => {
        const patch = diffMergePatch(from, to);
        if (patch === undefined) expect(jsonEqual(from, to)).toBe(true);
        else expect(jsonEqual(applyMergePatch(from, patch), to)).toBe(true);
      }),
    );
  });

  it('names nothing but what changes', () => {
    const from = { metadata: { labels: { a: '1', b: '2' } }, spec: { replicas: 1 } };
    const to = { metadata: { labels: { a: '1', c: '3' } }, spec: { replicas: 1 } };
    expect(diffMergePatch(from, to)).toEqual({ metadata: { labels: { b: null, c: '3' } } });
  });
});

const withoutNulls = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? 0).replaceAll('null', '0'));
