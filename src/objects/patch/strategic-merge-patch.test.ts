import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../deep-freeze.ts';
import type { PlainObject } from '../plain-object.ts';
import type { MergeField, MergeSchema } from './merge-schema.ts';
import { PatchError } from './patch-error.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

const schema = (fields: Readonly<Record<string, Partial<MergeField>>>): MergeSchema => ({
  field: (name) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field && { strategies: [], schema: schema({}), ...field };
  },
});

const keyedBy = (
  mergeKey: string,
  fields: Readonly<Record<string, Partial<MergeField>>> = {},
): Partial<MergeField> => ({
  strategies: ['merge'],
  mergeKey,
  schema: schema(fields),
});

/** The corner of the Pod's schema that these tests walk through. */
const pod = schema({
  metadata: { schema: schema({ labels: {}, finalizers: { strategies: ['merge'] } }) },
  spec: {
    schema: schema({
      containers: keyedBy('name', { env: keyedBy('name'), ports: keyedBy('containerPort') }),
      tolerations: {},
      volumes: { ...keyedBy('name'), strategies: ['merge', 'retainKeys'] },
      affinity: { strategies: ['replace'] },
    }),
  },
});

const apply = (original: PlainObject, patch: PlainObject): unknown =>
  applyStrategicMergePatch(deepFreeze(original), deepFreeze(patch), pod);

const containers = (...names: string[]): { name: string; image: string }[] =>
  names.map((name) => ({ name, image: `${name}:v1` }));

describe('a strategic merge patch', () => {
  it('changes the container it names, wherever an injected one stands', () => {
    const result = apply(
      { spec: { containers: containers('injected', 'engine') } },
      { spec: { containers: [{ name: 'engine', image: 'engine:v2' }] } },
    );
    expect(result).toEqual({
      spec: {
        containers: [
          { name: 'injected', image: 'injected:v1' },
          { name: 'engine', image: 'engine:v2' },
        ],
      },
    });
  });

  it('merges maps, and null removes', () => {
    expect(
      apply({ metadata: { labels: { a: '1', b: '2' } } }, { metadata: { labels: { b: null, c: '3', d: null } } }),
    ).toEqual({ metadata: { labels: { a: '1', c: '3' } } });
  });

  it('replaces a list that has no strategy and an object whose strategy is replace', () => {
    expect(
      apply(
        { spec: { tolerations: [{ key: 'a' }], affinity: { nodeAffinity: {} } } },
        { spec: { tolerations: [{ key: 'b' }], affinity: { podAffinity: {} } } },
      ),
    ).toEqual({ spec: { tolerations: [{ key: 'b' }], affinity: { podAffinity: {} } } });
  });

  it('merges nested lists by their own keys', () => {
    expect(
      apply(
        { spec: { containers: [{ name: 'c', env: [{ name: 'A', value: '1' }], ports: [{ containerPort: 1 }] }] } },
        {
          spec: {
            containers: [{ name: 'c', env: [{ name: 'B', value: '2' }], ports: [{ containerPort: 1, name: 'p' }] }],
          },
        },
      ),
    ).toEqual({
      spec: {
        containers: [
          {
            name: 'c',
            env: [
              { name: 'B', value: '2' },
              { name: 'A', value: '1' },
            ],
            ports: [{ containerPort: 1, name: 'p' }],
          },
        ],
      },
    });
  });

  it('deletes an item, and drops the deletion of one that is not there', () => {
    const patch = { spec: { containers: [{ name: 'b', $patch: 'delete' }] } };
    expect(apply({ spec: { containers: containers('a', 'b') } }, patch)).toEqual({
      spec: { containers: containers('a') },
    });
    expect(apply({ spec: {} }, patch)).toEqual({ spec: { containers: [] } });
  });

  it('replaces a list or a map as a whole where the patch says so', () => {
    expect(
      apply(
        { spec: { containers: containers('a', 'b') } },
        { spec: { containers: [{ $patch: 'replace' }, { name: 'c' }] } },
      ),
    ).toEqual({ spec: { containers: [{ name: 'c' }] } });
    expect(
      apply({ metadata: { labels: { a: '1' } } }, { metadata: { labels: { $patch: 'replace', b: '2' } } }),
    ).toEqual({
      metadata: { labels: { b: '2' } },
    });
    expect(apply({ metadata: { labels: { a: '1' } } }, { metadata: { labels: { $patch: 'delete' } } })).toEqual({
      metadata: { labels: {} },
    });
  });

  it('orders a list as $setElementOrder says and keeps what only the server knows in its place', () => {
    expect(
      apply(
        { spec: { containers: containers('a', 'server', 'b') } },
        {
          spec: {
            '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
            containers: [{ name: 'a', image: 'a:v2' }],
          },
        },
      ),
    ).toEqual({
      spec: {
        containers: [
          { name: 'server', image: 'server:v1' },
          { name: 'b', image: 'b:v1' },
          { name: 'a', image: 'a:v2' },
        ],
      },
    });
  });

  it('orders a list the patch itself does not touch', () => {
    expect(
      apply({ metadata: { finalizers: ['a', 'b', 'c'] } }, { metadata: { '$setElementOrder/finalizers': ['c', 'a'] } }),
    ).toEqual({ metadata: { finalizers: ['b', 'c', 'a'] } });
  });

  it('unites lists of scalars and deletes from them', () => {
    expect(apply({ metadata: { finalizers: ['a', 'b'] } }, { metadata: { finalizers: ['b', 'c'] } })).toEqual({
      metadata: { finalizers: ['a', 'b', 'c'] },
    });
    expect(
      apply({ metadata: { finalizers: ['a', 'b'] } }, { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } }),
    ).toEqual({ metadata: { finalizers: ['b'] } });
  });

  it('drops what $retainKeys does not list', () => {
    expect(
      apply(
        { spec: { volumes: [{ name: 'v', emptyDir: {} }] } },
        { spec: { volumes: [{ name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }] } },
      ),
    ).toEqual({ spec: { volumes: [{ name: 'v', hostPath: { path: '/x' } }] } });
  });

  it('leaves no directive and no null in what it adds', () => {
    expect(
      apply(
        { metadata: {} },
        {
          spec: {
            '$setElementOrder/containers': [{ name: 'a' }],
            containers: [{ name: 'a', args: null, env: [{ name: 'X', $patch: 'delete' }] }],
          },
        },
      ),
    ).toEqual({ metadata: {}, spec: { containers: [{ name: 'a', env: [] }] } });
  });

  it.each<[string, PlainObject, string]>([
    [
      'an item without its merge key',
      { spec: { containers: [{ image: 'x' }] } },
      'does not contain declared merge key: name',
    ],
    ['a directive to merge', { spec: { containers: [{ name: 'a', $patch: 'merge' }] } }, 'cannot yet be specified'],
    ['an unknown directive', { spec: { $patch: 'turn' } }, 'unknown patch type: turn'],
    [
      'a field beyond $retainKeys',
      { spec: { volumes: [{ name: 'a', $retainKeys: ['name'], emptyDir: {} }] } },
      'not in its $retainKeys list',
    ],
    [
      'a list in another order than it demands',
      {
        spec: {
          '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
          containers: [{ name: 'a' }, { name: 'b' }],
        },
      },
      "doesn't match its $setElementOrder list",
    ],
  ])('refuses %s', (_, patch, message) => {
    const original = { spec: { containers: containers('a', 'b'), volumes: [{ name: 'a' }] } };
    expect(() => apply(original, patch)).toThrow(PatchError);
    expect(() => apply(original, patch)).toThrow(message);
  });
});
