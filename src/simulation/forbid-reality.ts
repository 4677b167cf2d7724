/**
 * Makes the real clock, real timers and real randomness throw, so that whatever still reaches for them is found at the
 * first step of a run. `new Date(ms)` and `Date.parse` stay: they compute, they do not ask. The turn of the event loop
 * between two virtual tasks was taken from the global before (drain.ts) and goes on.
 *
 * @returns gives everything back
 */
export const forbidReality = (): (() => void) => {
  const { Date: RealDate, Math: math } = globalThis;
  const real = { ...takeTimers(), Date: RealDate };
  const random = math.random;
  const forbidden = Object.fromEntries(timerNames.map((name) => [name, () => refuse(name)]));
  Object.assign(globalThis, forbidden, { Date: withoutNow(RealDate) });
  math.random = () => refuse('real randomness');
  return () => {
    Object.assign(globalThis, real);
    math.random = random;
  };
};

const timerNames = ['setTimeout', 'setInterval', 'setImmediate'] as const;

const takeTimers = (): Record<string, unknown> => {
  const all = globalThis as unknown as Record<string, unknown>;
  return Object.fromEntries(timerNames.map((name) => [name, all[name]]));
};

const refuse = (what: string): never => {
  throw new Error(`${what} was used in a simulation: time and randomness come from the platform alone`);
};

const withoutNow = (RealDate: DateConstructor): DateConstructor =>
  new Proxy(RealDate, {
    construct: (target, args: readonly unknown[]) =>
      args.length === 0 ? refuse('the real clock') : (Reflect.construct(target, args) as Date),
    apply: () => refuse('the real clock'),
    get: (target, key) => (key === 'now' ? () => refuse('the real clock') : (Reflect.get(target, key) as unknown)),
  });
