import type { IntOrString } from './kubernetes.gen.ts';

export class IntOrPercentError extends Error {
  override readonly name = 'IntOrPercentError';
}

/**
 * A count that is given as such or as a percentage of a total, resolved to a count.
 *
 * @param value     `3` or `"25%"`
 * @param total     what a percentage is taken of
 * @param rounding  which way a fraction goes: maxUnavailable rounds down, partition and maxSurge round up
 * @returns         a count, not bounded by `total` (`5` of 3 is 5)
 *
 * Throws an IntOrPercentError for anything else: negative numbers, fractions, `"3"` without a percent sign.
 */
export const resolveIntOrPercent = (value: IntOrString, total: number, rounding: 'up' | 'down'): number => {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && value >= 0) return value;
    throw new IntOrPercentError(`${value} is not a count`);
  }
  const percent = /^([0-9]{1,9})%$/.exec(value)?.[1];
  if (percent === undefined)
    throw new IntOrPercentError(`'${value}' is neither an integer nor a percentage such as 25%`);
  const hundredths = Number(percent) * total; // an integer, so that 29% of 100 is 29 and not 28.999…
  return rounding === 'up' ? Math.ceil(hundredths / 100) : Math.floor(hundredths / 100);
};
