import { describe, expect, it } from 'vitest';
import { createBoundedMap } from './bounded-map.ts';

describe('a bounded map', () => {
  it('forgets the entry that was set longest ago', () => {
    const map = createBoundedMap<number>(3);
    for (const [index, key] of ['a', 'b', 'c', 'a', 'd'].entries()) map.set(key, index);
    expect([...map.view]).toEqual([
      ['c', 2],
      ['a', 3],
      ['d', 4],
    ]);
    expect(map.get('b')).toBeUndefined();
  });
});
