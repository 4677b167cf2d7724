import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hunt } from './hunt.ts';
import { mutants } from './mutants.ts';

interface Replay {
  readonly seed: number;
  readonly caughtBy: string;
}

/** Written by tools/proof/main.ts. */
const caught = JSON.parse(readFileSync(new URL('caught.gen.json', import.meta.url), 'utf8')) as Record<string, Replay>;
const replays = new Map(Object.entries(caught));

describe('a wrong operator is caught', () => {
  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))('%s', async (name, mutant) => {
    const replay = replays.get(name);
    expect(replay, 'no seed is known that catches it; run tools/proof/main.ts').toBeDefined();
    const found = await hunt(mutant, { firstSeed: replay?.seed ?? 0, runs: 1 });
    expect(found.caughtBy).toBe(replay?.caughtBy);
  });
});
