/** Keys that are due later, each at most once. */
export interface DelayHeap {
  /** Notes the key for `at`; of two times for one key the earlier counts. */
  add(key: string, at: number): void;
  /** When the first key is due. */
  first(): number | undefined;
  /** Takes out the keys due by `now`, earliest first. */
  takeDue(now: number): readonly string[];
  clear(): void;
  readonly size: number;
}

interface Entry {
  readonly key: string;
  readonly at: number;
  /** Orders entries of one instant as they were added. */
  readonly order: number;
}

const isBefore = (a: Entry, b: Entry): boolean => (a.at === b.at ? a.order < b.order : a.at < b.at);

export const createDelayHeap = (): DelayHeap => {
  // A binary heap: no entry is before its parent. May hold outdated entries of a key; `dueAt` says which one counts.
  const heap: Entry[] = [];
  const dueAt = new Map<string, number>();
  let order = 0;

  const swap = (i: number, j: number): void => {
    const [a, b] = [heap[i], heap[j]];
    if (a === undefined || b === undefined) return;
    heap[i] = b;
    heap[j] = a;
  };

  const less = (i: number, j: number): boolean => {
    const [a, b] = [heap[i], heap[j]];
    return a !== undefined && b !== undefined && isBefore(a, b);
  };

  const push = (entry: Entry): void => {
    heap.push(entry);
    for (let i = heap.length - 1; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (!less(i, parent)) return;
      swap(i, parent);
      i = parent;
    }
  };

  const pop = (): Entry | undefined => {
    swap(0, heap.length - 1);
    const top = heap.pop();
    for (let i = 0; ; ) {
      const [left, right] = [2 * i + 1, 2 * i + 2];
      let least = less(left, i) ? left : i;
      if (less(right, least)) least = right;
      if (least === i) return top;
      swap(i, least);
      i = least;
    }
  };

  const isOutdated = (entry: Entry): boolean => dueAt.get(entry.key) !== entry.at;

  const top = (): Entry | undefined => {
    while (heap[0] !== undefined && isOutdated(heap[0])) pop();
    return heap[0];
  };

  return {
    add(key, at) {
      const known = dueAt.get(key);
      if (known !== undefined && known <= at) return;
      dueAt.set(key, at);
      push({ key, at, order: order++ });
    },
    first: () => top()?.at,
    takeDue(now) {
      const due: string[] = [];
      for (let entry = top(); entry !== undefined && entry.at <= now; entry = top()) {
        pop();
        dueAt.delete(entry.key);
        due.push(entry.key);
      }
      return due;
    },
    clear() {
      heap.length = 0;
      dueAt.clear();
    },
    get size() {
      return dueAt.size;
    },
  };
};
