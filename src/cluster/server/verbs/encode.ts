/** JSON of objects that are stored, kept as long as they are: a hundred watchers cost one encoding. */
const texts = new WeakMap<object, string>();

/** The same text as JSON.stringify; the text of a frozen object is remembered. */
export const encode = (value: unknown): string => {
  if (typeof value !== 'object' || value === null || !Object.isFrozen(value)) return JSON.stringify(value);
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
};
