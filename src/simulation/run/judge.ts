import type { LedgerEntry } from '../../cluster/index.ts';
import { createScene, type Invariant, type Scene, type SceneOptions } from '../invariants/index.ts';
import { Violation } from './violation.ts';

export interface Judge {
  readonly scene: Scene;
  /** Judges every write since the last call. Throws a Violation at the first that breaks a rule. */
  check(): void;
  /** How many times a rule was asked. */
  checks(): number;
  /** Throws a Violation about the present state. */
  fail(broken: { readonly id: string; readonly rule: string; readonly finding: string }): never;
}

const sliceLength = 25;

export const createJudge = (
  ledger: readonly LedgerEntry[],
  invariants: readonly Invariant[],
  options: SceneOptions,
): Judge => {
  const scene = createScene(options);
  const watches = invariants.map((invariant) => ({ invariant, watch: invariant.begin() }));
  let seen = 0;
  let checks = 0;

  const fail: Judge['fail'] = (broken) => {
    throw new Violation({ ...broken, atMs: options.now(), slice: ledger.slice(Math.max(0, seen - sliceLength), seen) });
  };

  const judge = (entry: LedgerEntry): void => {
    const judged = { entry, scene, isOwn: entry.userName === options.operatorUser };
    for (const { invariant, watch } of watches) {
      const finding = watch.before?.(judged);
      if (finding !== undefined) fail({ ...invariant, finding });
    }
    scene.take(entry);
    for (const { invariant, watch } of watches) {
      const finding = watch.after?.(judged);
      if (finding !== undefined) fail({ ...invariant, finding });
    }
    checks += watches.length;
  };

  return {
    scene,
    fail,
    check: () => {
      for (let entry = ledger[seen]; entry !== undefined; entry = ledger[seen]) {
        seen += 1;
        judge(entry);
      }
    },
    checks: () => checks,
  };
};
