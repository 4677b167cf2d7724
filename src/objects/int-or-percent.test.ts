import { describe, expect, it } from 'vitest';
import { IntOrPercentError, resolveIntOrPercent } from './int-or-percent.ts';

describe('a count or a percentage', () => {
  it('rounds a percentage the way it is told', () => {
    expect(resolveIntOrPercent('25%', 10, 'down')).toBe(2);
    expect(resolveIntOrPercent('25%', 10, 'up')).toBe(3);
    expect(resolveIntOrPercent('10%', 4, 'down')).toBe(0);
    expect(resolveIntOrPercent('29%', 100, 'up')).toBe(29);
  });

  it('takes a count as it is, also beyond the total', () => {
    expect(resolveIntOrPercent(5, 3, 'down')).toBe(5);
    expect(resolveIntOrPercent('200%', 3, 'down')).toBe(6);
  });

  it.each(['3', '', '%', '-1%', '1.5%', ' 5%', '25 %', -1, 1.5, Number.NaN])('refuses %j', (value) => {
    expect(() => resolveIntOrPercent(value, 10, 'up')).toThrow(IntOrPercentError);
  });
});
