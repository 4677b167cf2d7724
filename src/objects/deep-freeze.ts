/**
 * Freezes JSON all the way down and returns it. Objects from the cache are read-only by type; frozen in tests, a write
 * that slipped past the types throws where it happens.
 */
export const deepFreeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const item of Object.values(value)) deepFreeze(item);
  return value;
};
