import fc from 'fast-check';
import jsonpatch from 'fast-json-patch';
import { describe, expect, it } from 'vitest';
import { clone } from '../clone.ts';
import { deepFreeze } from '../deep-freeze.ts';
import { jsonEqual } from '../equal.ts';
import { applyJsonPatch, type JsonPatchOperation, parseJsonPatch } from './json-patch.ts';
import { formatPointer, parsePointer } from './json-pointer.ts';
import { PatchError } from './patch-error.ts';

/** Any of fast-json-patch's own key names may occur, but it refuses `__proto__` and `constructor/prototype`. */
const key = fc.constantFrom('a', 'b', 'c', 'a/b', 'm~n', '0', '1', '');
const { document } = fc.letrec<{ document: unknown }>((tie) => ({
  document: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('x', 'y', null, true)),
    fc.array(tie('document'), { maxLength: 3 }),
    fc.dictionary(key, tie('document'), { maxKeys: 4 }),
  ),
}));
const pointer = fc
  .array(fc.oneof(key, fc.constantFrom('0', '1', '2', '-')), { maxLength: 3 })
  .map((segments) => formatPointer(segments));
const operation: fc.Arbitrary<JsonPatchOperation> = fc.oneof(
  fc.record({
    op: fc.constantFrom('add' as const, 'replace' as const, 'test' as const),
    path: pointer,
    value: document,
  }),
  fc.record({ op: fc.constant('remove' as const), path: pointer }),
  fc.record({ op: fc.constantFrom('move' as const, 'copy' as const), from: pointer, path: pointer }),
);

const attempt = (run: () => unknown): { readonly value: unknown } | undefined => {
  try {
    return { value: run() };
  } catch {
    return undefined;
  }
};

describe('a JSON patch', () => {
  it('turns one document into another exactly as another implementation computed the difference', () => {
    const container = fc.oneof(fc.array(document, { maxLength: 4 }), fc.dictionary(key, document, { maxKeys: 4 }));
    fc.assert(
      fc.property(container, container, (from, to) => {
        if (Array.isArray(from) !== Array.isArray(to)) return;
        const operations = parseJsonPatch(jsonpatch.compare(from, to));
        expect(jsonEqual(applyJsonPatch(deepFreeze(from), operations), to)).toBe(true);
      }),
    );
  });

  it('does what another implementation does with any single operation, or refuses it', () => {
    fc.assert(
      fc.property(document, operation, (before, step) => {
        const ours = attempt(() => applyJsonPatch(deepFreeze(clone(before)), [step]));
        const theirs = attempt(() => jsonpatch.applyPatch(clone(before), [clone(step)], true).newDocument);
        // Where both have an answer it is the same one. Ours is the stricter: it refuses what RFC 6902 forbids.
        if (ours !== undefined && theirs !== undefined) expect(jsonEqual(ours.value, theirs.value)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it.each<[string, JsonPatchOperation[], string]>([
    ['a path that leads nowhere', [{ op: 'replace', path: '/x', value: 1 }], 'missing'],
    ['removing what is not there', [{ op: 'remove', path: '/x' }], 'missing'],
    ['an index beyond the end', [{ op: 'add', path: '/list/4', value: 1 }], 'missing'],
    ['an index with a leading zero', [{ op: 'add', path: '/list/01', value: 1 }], 'malformed'],
    ['a path through a scalar', [{ op: 'add', path: '/name/x', value: 1 }], 'missing'],
    ['moving a thing into itself', [{ op: 'move', from: '/list', path: '/list/0' }], 'malformed'],
    ['a test that fails', [{ op: 'test', path: '/name', value: 'other' }], 'test-failed'],
    ['a path without a slash', [{ op: 'remove', path: 'name' }], 'malformed'],
    ['an escape of nothing', [{ op: 'remove', path: '/na~me' }], 'malformed'],
    ['an inherited member', [{ op: 'replace', path: '/constructor', value: 1 }], 'missing'],
  ])('refuses %s', (_, operations, problem) => {
    expect(attemptProblem({ name: 'x', list: [1, 2, 3] }, operations)).toBe(problem);
  });

  it('is all or nothing', () => {
    const before = deepFreeze({ a: 1 });
    expect(() =>
      applyJsonPatch(before, [
        { op: 'add', path: '/b', value: 2 },
        { op: 'remove', path: '/c' },
      ]),
    ).toThrow();
    expect(before).toEqual({ a: 1 });
  });

  it('appends, replaces the whole document, and treats __proto__ as a member like any other', () => {
    expect(applyJsonPatch([1], [{ op: 'add', path: '/-', value: 2 }])).toEqual([1, 2]);
    expect(applyJsonPatch({ a: 1 }, [{ op: 'replace', path: '', value: 'b' }])).toBe('b');
    const result = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]);
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  it.each([
    {},
    [1],
    [{ op: 'add', path: '/a' }],
    [{ op: 'move', path: '/a' }],
    [{ op: 'turn', path: '/a' }],
    [{ op: 'remove' }],
  ])('is not %j', (body) => {
    expect(() => parseJsonPatch(body)).toThrow(PatchError);
  });
});

describe('a JSON pointer', () => {
  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (segments) => {
        expect(parsePointer(formatPointer(segments))).toEqual(segments);
      }),
    );
  });
});

const attemptProblem = (before: unknown, operations: readonly JsonPatchOperation[]): string | undefined => {
  try {
    applyJsonPatch(before, operations);
    return undefined;
  } catch (error) {
    return error instanceof PatchError ? error.problem : 'other';
  }
};
