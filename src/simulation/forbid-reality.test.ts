import { expect, it } from 'vitest';
import { forbidReality } from './forbid-reality.ts';

it('lets nobody ask for real time or randomness, and gives everything back', () => {
  const { Date: RealDate, setTimeout: realTimeout } = globalThis;
  const random = Math.random;
  const allow = forbidReality();
  const attempts = [
    () => Date.now(),
    () => new Date(),
    () => setTimeout(() => undefined, 1),
    () => setInterval(() => undefined, 1),
    () => Math.random(),
  ].map((attempt) => {
    try {
      attempt();
      return 'allowed';
    } catch (error) {
      return String(error);
    }
  });
  const computed = new Date(0).toISOString();
  allow();
  expect(new Set(attempts.map((it) => it.includes('was used in a simulation')))).toEqual(new Set([true]));
  expect(computed).toBe('1970-01-01T00:00:00.000Z');
  expect(globalThis.Date).toBe(RealDate);
  expect(globalThis.setTimeout).toBe(realTimeout);
  expect(Math.random).toBe(random);
});
