import { seededRandom } from '../seeded-random.ts';

/** Choices that follow from a seed alone. */
export interface Dice {
  /** 0 up to, not including, 1. */
  fraction(): number;
  /** A whole number below `limit`. */
  upTo(limit: number): number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<const T>(choices: readonly T[]): T;
}

export const throwDice = (seed: number): Dice => {
  const random = seededRandom(seed ^ 0x91a4);
  const fraction = (): number => random.uint32() / 2 ** 32;
  const upTo = (limit: number): number => Math.floor(fraction() * limit);
  return {
    fraction,
    upTo,
    between: (least, most) => least + upTo(most - least + 1),
    chance: (probability) => fraction() < probability,
    pick: (choices) => {
      if (choices.length === 0) throw new RangeError('there is nothing to pick from');
      return choices[upTo(choices.length)] as (typeof choices)[number];
    },
  };
};
