import { describe, expect, it } from 'vitest';
import { drawPlan, forbidReality, runPlan } from '../../src/simulation/index.ts';

const seeds = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, i) => from + i);

describe('the operator in a world where everything goes wrong', () => {
  it.each([0, 1, 2, 3].map((part) => [part]))(
    'keeps every rule, and does the same again for the same seed (part %i)',
    async (part) => {
      const allowReality = forbidReality();
      try {
        for (const seed of seeds(1000 + part * 10, 10)) {
          const plan = drawPlan(seed);
          const first = await runPlan(plan);
          expect(first.violation?.message, `seed ${seed}`).toBeUndefined();
          const second = await runPlan(plan);
          expect(second.hash, `seed ${seed}, run again`).toBe(first.hash);
          expect(second.writes, `seed ${seed}, run again`).toBe(first.writes);
        }
      } finally {
        allowReality();
      }
    },
    120_000,
  );

  it('does something else for another seed', async () => {
    const [one, other] = [await runPlan(drawPlan(1)), await runPlan(drawPlan(2))];
    expect(one.hash).not.toBe(other.hash);
  });
});
