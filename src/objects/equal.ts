/**
 * Deep equality of JSON. Key order does not count, and a member that is `undefined` counts as absent, because it is
 * absent on the wire. `null` is a value of its own: `{ a: null }` and `{}` differ.
 */
export const jsonEqual = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true;
  if (typeof a === 'number' && a === b) return true; // 0 and -0
  if (!isContainer(a) || !isContainer(b)) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));
  }
  return membersEqual(a, b);
};

type Container = { readonly [key: string]: unknown };

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

const membersEqual = (a: Container, b: Container): boolean => {
  let present = 0;
  for (const key of Object.keys(a)) {
    if (a[key] === undefined) continue;
    present += 1;
    if (!Object.hasOwn(b, key) || !jsonEqual(a[key], b[key])) return false;
  }
  return present === Object.keys(b).filter((key) => b[key] !== undefined).length;
};
