import { describe, expect, it } from 'vitest';
import { revisionLabel } from '../api/index.ts';
import type { ControllerRevision } from '../objects/index.ts';
import { revisionsToPrune } from './prune-revisions.ts';

describe('pruning', () => {
  const made = (number: number): ControllerRevision => ({
    metadata: { name: `llm-${number}`, labels: { [revisionLabel]: `r${number}` } },
    revision: number,
  });

  it('takes the oldest that are not in use, beyond the limit', () => {
    const revisions = [5, 1, 4, 2, 3].map(made);
    const pruned = (limit: number, ...inUse: string[]): number[] =>
      revisionsToPrune(revisions, new Set(inUse), limit).map(({ revision }) => revision);
    expect(pruned(2, 'r1')).toEqual([2, 3]);
    expect(pruned(0, 'r1', 'r5')).toEqual([2, 3, 4]);
    expect(pruned(10)).toEqual([]);
  });
});
