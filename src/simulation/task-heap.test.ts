import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTaskHeap, type Ordered } from './task-heap.ts';

const arbitraryItems = fc
  .array(fc.record({ at: fc.nat(20), tie: fc.nat(3) }), { maxLength: 200 })
  .map((items) => items.map((item, sequence) => ({ ...item, sequence })));

const sorted = (items: readonly Ordered[]): Ordered[] =>
  [...items].sort((a, b) => a.at - b.at || a.tie - b.tie || a.sequence - b.sequence);

const popAll = (heap: ReturnType<typeof createTaskHeap<Ordered>>): Ordered[] => {
  const out: Ordered[] = [];
  for (let item = heap.pop(); item !== undefined; item = heap.pop()) out.push(item);
  return out;
};

describe('the task heap', () => {
  it('gives items back by time, then tie-break, then order of insertion', () => {
    fc.assert(
      fc.property(arbitraryItems, (items) => {
        const heap = createTaskHeap<Ordered>();
        for (const item of items) heap.push(item);
        expect(popAll(heap)).toEqual(sorted(items));
      }),
    );
  });

  it('keeps its order when items are dropped and added between', () => {
    fc.assert(
      fc.property(arbitraryItems, arbitraryItems, fc.nat(4), (first, second, modulus) => {
        const heap = createTaskHeap<Ordered>();
        const later = second.map((item) => ({ ...item, sequence: item.sequence + first.length }));
        const test = (item: Ordered): boolean => item.at % (modulus + 1) === 0;
        for (const item of first) heap.push(item);
        heap.keep(test);
        for (const item of later) heap.push(item);
        expect(popAll(heap)).toEqual(sorted([...first.filter(test), ...later]));
        expect(heap.size).toBe(0);
      }),
    );
  });
});
