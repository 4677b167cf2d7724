import type { PodTemplate } from '../../api/index.ts';
import {
  addQuantities,
  formatQuantity,
  isPlainObject,
  multiplyQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
} from '../../objects/index.ts';
import type { Quantities } from './pod-group.ts';

/** Amounts by resource name, to calculate with. */
export type Amounts = ReadonlyMap<string, Quantity>;

/**
 * What the containers of a Pod from this template request together. A limit without a request counts as one, because
 * the API server makes it one in the Pod (pkg/apis/core/v1/defaults.go). Init containers do not count: kthena leaves
 * them out, and Volcano looks at each Pod itself when it places it.
 */
export const podRequests = (template: PodTemplate | undefined): Amounts =>
  sumAmounts(
    (template?.spec?.containers ?? []).map(({ resources }) =>
      amountsOf({ ...asQuantities(resources?.limits), ...asQuantities(resources?.requests) }),
    ),
  );

export const sumAmounts = (list: readonly Amounts[]): Amounts => {
  const sum = new Map<string, Quantity>();
  for (const amounts of list) {
    for (const [name, quantity] of amounts) {
      const before = sum.get(name);
      sum.set(name, before === undefined ? quantity : addQuantities(before, quantity));
    }
  }
  return sum;
};

export const timesAmounts = (amounts: Amounts, times: number): Amounts =>
  new Map([...amounts].map(([name, quantity]) => [name, multiplyQuantity(quantity, times)]));

/** A text that is no quantity is left out: the API server refuses the Pod for it, and says why. */
export const amountsOf = (quantities: Quantities | undefined): Amounts => {
  const amounts = new Map<string, Quantity>();
  for (const [name, text] of Object.entries(quantities ?? {})) {
    try {
      amounts.set(name, parseQuantity(text));
    } catch (error) {
      if (!(error instanceof QuantityError)) throw error;
    }
  }
  return amounts;
};

/** As a resource list, sorted by name; undefined where nothing is requested. */
export const writeAmounts = (amounts: Amounts): Quantities | undefined =>
  amounts.size === 0
    ? undefined
    : Object.fromEntries(
        [...amounts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, quantity]) => [name, formatQuantity(quantity)]),
      );

const asQuantities = (value: unknown): Quantities => (isPlainObject(value) ? (value as Quantities) : {});
