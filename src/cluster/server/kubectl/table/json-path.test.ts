import { describe, expect, it } from 'vitest';
import { findAll, parseJsonPath } from './json-path.ts';

const object = {
  spec: {
    'a.b': 1,
    list: [
      { n: 1, type: 'A' },
      { n: 2, type: 'B', ok: true },
    ],
    empty: null,
  },
  metadata: { labels: { 'app.kubernetes.io/name': 'x' } },
};

const find = (path: string): readonly unknown[] | undefined => {
  const steps = parseJsonPath(path);
  return steps === undefined ? undefined : findAll(steps, object);
};

describe('JSONPath', () => {
  it.each([
    ['.spec.list[0].n', [1]],
    ['.spec.list[-1].n', [2]],
    ['.spec.list[*].n', [1, 2]],
    ['.spec.list[?(@.type=="B")].n', [2]],
    ["$.spec.list[?(@.type != 'B')].n", [1]],
    ['.spec.list[?(@.n>=2)].type', ['B']],
    ['.spec.list[?(@.n<2)].type', ['A']],
    ['.spec.list[?(@.ok)].n', [2]],
    ['.spec.list[?(@.ok==true)].n', [2]],
    [".spec['a.b']", [1]],
    ['.spec.a\\.b', [1]],
    ['.metadata.labels.app\\.kubernetes\\.io/name', ['x']],
    [".metadata.labels['app\\.kubernetes\\.io/name']", ['x']],
    ['.spec.missing.deeper', []],
    ['.spec.list[7]', []],
    ['.spec.toString', []],
    ['.spec.empty', [null]],
  ])('%s leads to %j', (path, values) => {
    expect(find(path)).toEqual(values);
  });

  it.each(['.spec[', 'spec..list[(', '.spec[?(@.a=~"b")]', '{.spec}'])('does not understand %s', (path) => {
    expect(find(path)).toBeUndefined();
  });
});
