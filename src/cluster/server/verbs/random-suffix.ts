import { fraction, type Random } from '../../../platform/index.ts';

/** Without vowels and look-alikes, so that no name is a word (apimachinery's rand.String). */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

export const randomSuffix = (random: Random): string =>
  Array.from({ length: 5 }, () => alphabet.charAt(Math.floor(fraction(random) * alphabet.length))).join('');
