import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  controllerRevisionName,
  entryName,
  groupName,
  ordinalOf,
  parseGroupName,
  parsePodName,
  podName,
  roleId,
} from './names.ts';

const label = fc.stringMatching(/^[a-z]([-a-z0-9]{0,8}[a-z0-9])?$/);
const ordinal = fc.nat({ max: 2 ** 31 - 1 });

describe('names', () => {
  it('are those of kthena', () => {
    expect(groupName('llm', 3)).toBe('llm-3');
    expect(roleId('decode', 0)).toBe('decode-0');
    expect(podName('llm', { group: 3, role: 'decode', instance: 0, index: 2 })).toBe('llm-3-decode-0-2');
    expect(entryName('llm', { group: 3, role: 'decode', instance: 1 })).toBe('llm-3-decode-1-0');
    expect(controllerRevisionName('llm', '68985b448c')).toBe('llm-68985b448c');
  });

  it('of ControllerRevisions stay valid however long the ModelServing is called', () => {
    expect(controllerRevisionName('m'.repeat(253), '68985b448c')).toHaveLength(223 + 11);
  });
});

describe('parsing the name of a Pod', () => {
  it('gives back what the name was made of, whatever ModelServing and Role are called', () => {
    fc.assert(
      fc.property(label, label, ordinal, ordinal, ordinal, (ms, role, group, instance, index) => {
        const pod = { group, role, instance, index };
        expect(parsePodName(ms, podName(ms, pod))).toEqual(pod);
      }),
    );
  });

  it('reads Roles that look like ordinals themselves', () => {
    expect(parsePodName('a', 'a-0-b-0-c-1-2')).toEqual({ group: 0, role: 'b-0-c', instance: 1, index: 2 });
  });

  it.each([
    ['another ModelServing', 'other-0-decode-0-0'],
    ['a ModelServing whose name begins alike', 'llm2-0-decode-0-0'],
    ['too few parts', 'llm-0-decode-0'],
    ['no Role', 'llm-0-0-0'],
    ['a leading zero, which no operator writes', 'llm-0-decode-01-0'],
    ['an ordinal beyond 32 bits', 'llm-4294967296-decode-0-0'],
    ['letters for an ordinal', 'llm-x-decode-0-0'],
    ['the group alone', 'llm-0'],
  ])('recognises nothing in a name with %s', (_, name) => {
    expect(parsePodName('llm', name)).toBeUndefined();
  });
});

describe('parsing the name of a ServingGroup', () => {
  it('gives back its ordinal', () => {
    fc.assert(
      fc.property(label, ordinal, (ms, group) => {
        expect(parseGroupName(ms, groupName(ms, group))).toBe(group);
      }),
    );
  });

  it('takes no other name for it', () => {
    expect(parseGroupName('llm', 'llm-decode-0')).toBeUndefined();
    expect(parseGroupName('llm', 'llm-00')).toBeUndefined();
  });
});

describe('the ordinal of a name', () => {
  it.each([
    ['llm-3', 3],
    ['decode-0', 0],
    ['-7', 7],
    ['llm', undefined],
    ['llm-', undefined],
    ['llm-3a', undefined],
    ['llm-2147483648', undefined],
  ])('%s has %s', (name, expected) => {
    expect(ordinalOf(name)).toBe(expected);
  });
});
