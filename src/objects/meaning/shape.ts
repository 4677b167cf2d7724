import { jsonEqual } from '../equal.ts';
import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { compareQuantities, formatQuantity, parseQuantity, QuantityError } from '../quantity.ts';

/**
 * How an object may say the same thing in several ways. Shapes nest as the objects do; what a shape does not mention is
 * taken as it stands.
 */
export interface Shape {
  /** Values of a field that mean the same as leaving it out: the defaults of the API server, and Go's zero values. */
  readonly silent?: Readonly<Record<string, readonly unknown[]>>;
  /** Fields whose empty object means the same as leaving it out. Elsewhere `{}` is a choice: `emptyDir: {}`. */
  readonly hollow?: readonly string[];
  /** Fields that hold a map with free keys, whose values are data: `labels: {a: ""}` is not `labels: {}`. */
  readonly maps?: readonly string[];
  /** Fields that hold a quantity, or a map of quantities. */
  readonly quantities?: readonly string[];
  /** Shapes of fields; for a list, of its items. */
  readonly fields?: Readonly<Record<string, Shape>>;
}

/** Wherever they occur in a Pod, `false` says nothing. */
const silentAnywhere: Readonly<Record<string, readonly unknown[]>> = { optional: [false], readOnly: [false] };

/** Pointers to strings, where the empty one is a choice (a storage class of its own). */
const emptyStringMatters: readonly string[] = ['storageClassName', 'hostnameOverride'];

/**
 * The object with everything gone that says nothing: null, empty lists and maps, empty strings, and what its shape
 * calls silent or hollow; quantities in one spelling each. Two objects mean the same if they settle to equal JSON.
 */
export const settle = (object: PlainObject, shape: Shape): PlainObject =>
  Object.fromEntries(
    Object.entries(object)
      .map(([key, value]) => [key, settleField(key, value, shape)] as const)
      .filter(([key, value]) => !saysNothing(key, value, shape)),
  );

const settleField = (key: string, value: unknown, shape: Shape): unknown => {
  if (shape.quantities?.includes(key)) return settleQuantities(value);
  if (shape.maps?.includes(key)) return value;
  return settleValue(value, fieldShape(shape, key));
};

const settleValue = (value: unknown, shape: Shape): unknown => {
  if (Array.isArray(value)) return value.map((item) => settleValue(item, shape));
  return isPlainObject(value) ? settle(value, shape) : value;
};

const fieldShape = (shape: Shape, key: string): Shape =>
  (shape.fields !== undefined && Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined) ?? {};

const saysNothing = (key: string, value: unknown, shape: Shape): boolean => {
  if (value === null || value === undefined) return true;
  if (value === '') return !emptyStringMatters.includes(key);
  if (Array.isArray(value)) return value.length === 0;
  if (isPlainObject(value)) {
    if (Object.keys(value).length > 0) return isSilent(key, value, shape);
    return [...(shape.hollow ?? []), ...(shape.maps ?? []), ...(shape.quantities ?? [])].includes(key);
  }
  return isSilent(key, value, shape);
};

const isSilent = (key: string, value: unknown, shape: Shape): boolean =>
  [shape.silent, silentAnywhere].some(
    (table) => table !== undefined && Object.hasOwn(table, key) && table[key]?.some((one) => jsonEqual(one, value)),
  );

const settleQuantities = (value: unknown): unknown => {
  if (!isPlainObject(value)) return oneSpelling(value);
  return Object.fromEntries(Object.entries(value).map(([name, quantity]) => [name, oneSpelling(quantity)]));
};

const kibi = parseQuantity('1Ki');

/** One text per value, whatever format it came in; what is no quantity stays as it is. */
const oneSpelling = (value: unknown): unknown => {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  try {
    const { nano } = parseQuantity(value);
    const binary = nano % kibi.nano === 0n && compareQuantities({ nano, format: 'binary' }, kibi) >= 0;
    return formatQuantity({ nano, format: binary ? 'binary' : 'decimal' });
  } catch (error) {
    if (error instanceof QuantityError) return value;
    throw error;
  }
};
