import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRecreations, encodeRecreations } from './recreations.ts';

const recreation = fc.record({
  group: fc.nat({ max: 6 }),
  role: fc.constantFrom('prefill', 'decode'),
  instance: fc.nat({ max: 2 }),
  revision: fc.constantFrom('a', 'b'),
  times: fc.integer({ min: 1, max: 3 }),
});
const recreations = fc.uniqueArray(recreation, {
  selector: ({ group, role, instance }) => `${group}/${role}/${instance}`,
});
const sorted = (list: readonly unknown[]): readonly string[] => list.map((one) => JSON.stringify(one)).sort();

describe('status.recreations', () => {
  it('says the same as what it was made of, in whatever order that came', () => {
    fc.assert(
      fc.property(recreations, (list) => {
        expect(sorted(decodeRecreations(encodeRecreations(list)))).toEqual(
          sorted(
            list.map(({ group, role, instance, revision, times }) => ({ group, role, instance, revision, times })),
          ),
        );
        expect(encodeRecreations([...list].reverse())).toEqual(encodeRecreations(list));
      }),
    );
  });

  it('is one entry where a whole fleet fails alike', () => {
    const list = Array.from({ length: 1000 }, (_, group) => ({
      group,
      role: 'r',
      instance: 0,
      revision: 'a',
      times: 4,
    }));
    expect(encodeRecreations(list)).toEqual([{ groups: '0-999', role: 'r', instance: 0, revision: 'a', times: 4 }]);
  });

  it('forgets what somebody made unreadable', () => {
    expect(decodeRecreations([{ groups: 'all', role: 'r', instance: 0, revision: 'a', times: 1 }])).toEqual([]);
  });
});
