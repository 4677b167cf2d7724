import { Environment } from '@marcbachmann/cel-js';
import { addQuantities, compareQuantities, parseQuantity, type Quantity, QuantityError } from '../quantity.ts';
import { compilePattern } from './pattern.ts';

/** A quantity as a value of CEL: a class, because CEL tells types apart by constructor. */
class CelQuantity {
  readonly value: Quantity;
  constructor(value: Quantity) {
    this.value = value;
  }
}

const isQuantity = (text: string): boolean => {
  try {
    parseQuantity(text);
    return true;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
};

/**
 * CEL as the API server sets it up for CRDs: everything untyped, with optional values and those of Kubernetes' own
 * functions that CRDs in the wild use (regular expressions, lists, text, quantities; apiserver pkg/cel/library). A rule
 * that calls another function does not compile, so that its CRD is refused instead of half understood.
 */
const kubernetes = (): Environment =>
  new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
    .registerVariable('self', 'dyn')
    .registerFunction('string.find(string): string', (text: string, pattern: string) => find(text, pattern)[0] ?? '')
    .registerFunction('string.findAll(string): list<string>', find)
    .registerFunction('string.replace(string, string): string', (text: string, old: string, by: string) =>
      text.replaceAll(old, () => by),
    )
    .registerFunction('string.charAt(int): string', (text: string, at: bigint) => [...text][Number(at)] ?? '')
    .registerFunction('list<dyn>.isSorted(): bool', (list: readonly Ordered[]) => isSorted(list))
    .registerFunction('list<dyn>.sum(): dyn', sum)
    .registerFunction('list<dyn>.min(): dyn', (list: readonly Ordered[]) => extreme(list, (a, b) => a < b))
    .registerFunction('list<dyn>.max(): dyn', (list: readonly Ordered[]) => extreme(list, (a, b) => a > b))
    .registerFunction('list<dyn>.indexOf(dyn): int', (list: readonly Ordered[], item: Ordered) =>
      BigInt(list.indexOf(item)),
    )
    .registerType('kubernetes.Quantity', CelQuantity)
    .registerFunction('isQuantity(string): bool', isQuantity)
    .registerFunction('quantity(string): kubernetes.Quantity', (text: string) => new CelQuantity(parseQuantity(text)))
    .registerFunction('kubernetes.Quantity.compareTo(kubernetes.Quantity): int', (a: CelQuantity, b: CelQuantity) =>
      BigInt(Math.sign(compareQuantities(a.value, b.value))),
    )
    .registerFunction(
      'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool',
      (a: CelQuantity, b: CelQuantity) => compareQuantities(a.value, b.value) > 0,
    )
    .registerFunction(
      'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool',
      (a: CelQuantity, b: CelQuantity) => compareQuantities(a.value, b.value) < 0,
    )
    .registerFunction(
      'kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity',
      (a: CelQuantity, b: CelQuantity) => new CelQuantity(addQuantities(a.value, b.value)),
    );

type Ordered = bigint | number | string;

const find = (text: string, pattern: string): string[] => {
  const expression = compilePattern(pattern);
  return [...text.matchAll(new RegExp(expression, `${expression.flags}g`))].map(([match]) => match);
};

const isSorted = (list: readonly Ordered[]): boolean =>
  list.every((item, index) => index === 0 || (list[index - 1] as Ordered) <= item);

const sum = (list: readonly Ordered[]): Ordered =>
  list.every((item) => typeof item === 'bigint')
    ? list.reduce((total, item) => total + item, 0n)
    : list.reduce((total: number, item) => total + Number(item), 0);

const extreme = (list: readonly Ordered[], better: (a: Ordered, b: Ordered) => boolean): Ordered => {
  const [first, ...rest] = list;
  if (first === undefined) throw new RangeError('min or max of an empty list');
  return rest.reduce((best, item) => (better(item, best) ? item : best), first);
};

/** For rules that may compare with the value before an update. */
export const transitionEnvironment: Environment = kubernetes().registerVariable('oldSelf', 'dyn');

/** The same without `oldSelf`: what compiles here is not a transition rule. */
export const plainEnvironment: Environment = kubernetes();
