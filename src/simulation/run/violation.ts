import type { LedgerEntry } from '../../cluster/index.ts';

/** A rule that was broken, and what had been written until then. */
export class Violation extends Error {
  readonly id: string;
  readonly rule: string;
  readonly finding: string;
  readonly atMs: number;
  /** The latest writes, the one that broke the rule last. */
  readonly slice: readonly LedgerEntry[];

  constructor(broken: {
    readonly id: string;
    readonly rule: string;
    readonly finding: string;
    readonly atMs: number;
    readonly slice: readonly LedgerEntry[];
  }) {
    super(`${broken.id}: ${broken.finding}`);
    this.name = 'Violation';
    this.id = broken.id;
    this.rule = broken.rule;
    this.finding = broken.finding;
    this.atMs = broken.atMs;
    this.slice = broken.slice;
  }
}
