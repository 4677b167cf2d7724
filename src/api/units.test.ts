import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUnits, encodeUnits, type InstanceRecord } from './units.ts';

const record = fc.record({
  group: fc.nat({ max: 6 }),
  role: fc.constantFrom('prefill', 'decode'),
  instance: fc.nat({ max: 4 }),
  completed: fc.nat({ max: 2 }),
  leaving: fc.boolean(),
});
const records = fc.uniqueArray(record, { selector: ({ group, role, instance }) => `${group}/${role}/${instance}` });

const sorted = (list: readonly InstanceRecord[]): readonly string[] => list.map((one) => JSON.stringify(one)).sort();
const fleet = (groups: number): InstanceRecord[] =>
  Array.from({ length: groups }, (_, group) =>
    ['prefill', 'decode'].flatMap((role) =>
      [0, 1].map((instance) => ({ group, role, instance, completed: 2, leaving: false })),
    ),
  ).flat();

describe('status.units', () => {
  it('says the same as the records it was made of', () => {
    fc.assert(
      fc.property(records, (list) => {
        expect(sorted(decodeUnits(encodeUnits(list)))).toEqual(
          sorted(
            list.map(({ group, role, instance, completed, leaving }) => ({
              group,
              role,
              instance,
              completed,
              leaving,
            })),
          ),
        );
      }),
    );
  });

  it('is the same text for the same records in any order', () => {
    fc.assert(
      fc.property(records, (list) => {
        expect(encodeUnits([...list].reverse())).toEqual(encodeUnits(list));
      }),
    );
  });

  it('has each set of role instances once', () => {
    fc.assert(
      fc.property(records, (list) => {
        const roles = encodeUnits(list).map((unit) => JSON.stringify(unit.roles));
        expect(new Set(roles).size).toBe(roles.length);
      }),
    );
  });

  it('keeps a thousand groups that stand alike in one entry', () => {
    expect(encodeUnits(fleet(1000))).toEqual([
      {
        groups: '0-999',
        roles: [
          { name: 'decode', instances: '0-1', completed: 2 },
          { name: 'prefill', instances: '0-1', completed: 2 },
        ],
      },
    ]);
  });

  it('names apart what differs: one group ahead, one instance on its way out', () => {
    const list = fleet(4).map((one) => ({
      ...one,
      completed: one.group === 2 ? 3 : 2,
      leaving: one.group === 0 && one.role === 'decode' && one.instance === 1,
    }));
    expect(encodeUnits(list)).toEqual([
      {
        groups: '0',
        roles: [
          { name: 'decode', instances: '0', completed: 2 },
          { name: 'decode', instances: '1', completed: 2, leaving: true },
          { name: 'prefill', instances: '0-1', completed: 2 },
        ],
      },
      {
        groups: '1,3',
        roles: [
          { name: 'decode', instances: '0-1', completed: 2 },
          { name: 'prefill', instances: '0-1', completed: 2 },
        ],
      },
      {
        groups: '2',
        roles: [
          { name: 'decode', instances: '0-1', completed: 3 },
          { name: 'prefill', instances: '0-1', completed: 3 },
        ],
      },
    ]);
  });

  it('loses only the entry that somebody garbled', () => {
    const roles = [{ name: 'decode', instances: '0', completed: 1 }];
    expect(
      decodeUnits([
        { groups: '0', roles },
        { groups: '5-2', roles },
        { groups: '7', roles: [{ name: 'decode', instances: 'all', completed: 1 }] },
      ]),
    ).toEqual([{ group: 0, role: 'decode', instance: 0, completed: 1, leaving: false }]);
    expect(decodeUnits(undefined)).toEqual([]);
  });
});
