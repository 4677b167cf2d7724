/** What orders tasks: time first, then the tie-break, then the order in which they were added. */
export interface Ordered {
  readonly at: number;
  readonly tie: number;
  readonly sequence: number;
}

/** A binary heap with the earliest item on top. */
export interface TaskHeap<T extends Ordered> {
  push(item: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
  items(): readonly T[];
  /** Drops every item that fails the test; O(n). */
  keep(test: (item: T) => boolean): void;
  readonly size: number;
}

const before = (a: Ordered, b: Ordered): boolean =>
  a.at !== b.at ? a.at < b.at : a.tie !== b.tie ? a.tie < b.tie : a.sequence < b.sequence;

export const createTaskHeap = <T extends Ordered>(): TaskHeap<T> => {
  // heap[i] is never after heap[2i + 1] nor heap[2i + 2].
  let heap: T[] = [];

  const up = (start: number, item: T): void => {
    let index = start;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !before(item, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = item;
  };

  const down = (start: number, item: T): void => {
    let index = start;
    for (;;) {
      let child = 2 * index + 1;
      let below = heap[child];
      if (below === undefined) break;
      const right = heap[child + 1];
      if (right !== undefined && before(right, below)) {
        child++;
        below = right;
      }
      if (!before(below, item)) break;
      heap[index] = below;
      index = child;
    }
    heap[index] = item;
  };

  return {
    push: (item) => up(heap.length, item),
    peek: () => heap[0],
    pop: () => {
      const top = heap[0];
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) down(0, last);
      return top;
    },
    items: () => heap,
    keep: (test) => {
      heap = heap.filter(test).sort((a, b) => (before(a, b) ? -1 : 1));
    },
    get size() {
      return heap.length;
    },
  };
};
