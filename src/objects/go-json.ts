/**
 * JSON as Go's encoding/json writes a map: compact, keys in byte order, and `& < > U+2028 U+2029` escaped.
 *
 * The API server compares some fields byte by byte after it has encoded them again itself (ControllerRevision `data`).
 * An object that was written any other way can never have its metadata patched: 422 "field is immutable". So every body
 * that goes to an API server is written by this function.
 *
 * Members that are `undefined` are left out, as JSON.stringify does. Throws a TypeError for `undefined` itself.
 */
export const stringifyAsGo = (value: unknown): string => {
  if (value === undefined) throw new TypeError('undefined is not JSON');
  return write(value);
};

const write = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (typeof value !== 'object' || value === null) return writeScalar(value);
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([key, item]) => `${writeScalar(key)}:${write(item)}`);
  return `{${members.join(',')}}`;
};

const writeScalar = (value: unknown): string =>
  value === undefined ? 'null' : JSON.stringify(value).replace(/[&<>\u2028\u2029]/g, asEscape);

// The five characters occur inside strings alone, where the escape means the same character.
const asEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Go compares strings by their UTF-8 bytes, which is the order of code points; JavaScript's own is that of UTF-16. */
const compareBytes = (a: string, b: string): number => {
  const left = Array.from(a);
  const right = Array.from(b);
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
};
