import { linesOfSpec } from './spec-lines.ts';

/** The difference of two PodSpecs as the API server shows it: a unified diff of what its own types hold. */
export const specDiff = (before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string =>
  unifiedDiff(linesOfSpec(before), linesOfSpec(after));

type Edit = { readonly mark: ' ' | '-' | '+'; readonly line: string };

const context = 3;

export const unifiedDiff = (before: readonly string[], after: readonly string[]): string => {
  const edits = editsOf(before, after);
  const changed = edits.flatMap((edit, index) => (edit.mark === ' ' ? [] : [index]));
  return hunksOf(changed, edits.length)
    .map(([from, to]) => renderHunk(edits, from, to))
    .join('');
};

/** Ranges of edits to show: each change with its context, merged where they touch. */
const hunksOf = (changed: readonly number[], length: number): readonly (readonly [number, number])[] => {
  const hunks: [number, number][] = [];
  for (const index of changed) {
    const from = Math.max(index - context, 0);
    const to = Math.min(index + context + 1, length);
    const last = hunks.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  }
  return hunks;
};

const renderHunk = (edits: readonly Edit[], from: number, to: number): string => {
  const count = (part: readonly Edit[], other: '-' | '+'): number => part.filter(({ mark }) => mark !== other).length;
  const [ahead, shown] = [edits.slice(0, from), edits.slice(from, to)];
  const side = (mark: '-' | '+', other: '-' | '+'): string =>
    `${mark}${count(ahead, other) + 1},${count(shown, other)}`;
  return `@@ ${side('-', '+')} ${side('+', '-')} @@\n${shown.map(({ mark, line }) => `${mark}${line}\n`).join('')}`;
};

/** The shortest way from one text to the other, by the longest common subsequence between equal ends. */
const editsOf = (before: readonly string[], after: readonly string[]): readonly Edit[] => {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail += 1;
  }
  const same = (lines: readonly string[]): readonly Edit[] => lines.map((line) => ({ mark: ' ', line }));
  return [
    ...same(before.slice(0, head)),
    ...middleEdits(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ];
};

const middleEdits = (before: readonly string[], after: readonly string[]): readonly Edit[] => {
  const lengths = commonLengths(before, after);
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  const edits: Edit[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, fresh] = [before[i], after[j]];
    if (old !== undefined && old === fresh) {
      edits.push({ mark: ' ', line: old });
      [i, j] = [i + 1, j + 1];
    } else if (old !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      edits.push({ mark: '-', line: old });
      i += 1;
    } else {
      edits.push({ mark: '+', line: fresh ?? '' });
      j += 1;
    }
  }
  return edits;
};

const commonLengths = (before: readonly string[], after: readonly string[]): readonly (readonly number[])[] => {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row === undefined) continue;
      row[j] =
        before[i] === after[j]
          ? (lengths[i + 1]?.[j + 1] ?? 0) + 1
          : Math.max(lengths[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
};
