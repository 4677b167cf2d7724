/** A deep copy of JSON that shares nothing with the original and may be changed freely. */
export const clone = <T>(value: T): Mutable<T> => copy(value) as Mutable<T>;

/** The type without `readonly`, all the way down. */
export type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T;

const copy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]));
};
