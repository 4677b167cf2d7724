import {
  addQuantities,
  type Container,
  compareQuantities,
  type Pod,
  parseQuantity,
  type Quantity,
} from '../../objects/index.ts';

/** Amounts by resource name (`cpu`, `memory`, `nvidia.com/gpu`, …); `pods` counts the Pod itself. */
export type Amounts = ReadonlyMap<string, Quantity>;

/**
 * What a Pod takes from its node: its containers and sidecars together, or its largest init container if that is more.
 * A container with a limit and no request asks for its limit.
 */
export const demandOf = (pod: Pod): Amounts => {
  const init = pod.spec.initContainers ?? [];
  const together = [...pod.spec.containers, ...init.filter((container) => container.restartPolicy === 'Always')];
  let total = together.map(requestsOf).reduce(sum, new Map());
  for (const container of init) total = larger(total, requestsOf(container));
  return sum(total, new Map([['pods', parseQuantity(1)]]));
};

const requestsOf = ({ resources }: Container): Amounts =>
  new Map(
    Object.entries({ ...resources?.limits, ...resources?.requests }).map(([name, text]) => [name, parseQuantity(text)]),
  );

export const sum = (a: Amounts, b: Amounts): Amounts => merge(a, b, addQuantities);

/** Of amounts of which `b` is a part. */
export const difference = (a: Amounts, b: Amounts): Amounts =>
  merge(a, b, (x, y) => ({ nano: x.nano - y.nano, format: x.format }));

const larger = (a: Amounts, b: Amounts): Amounts => merge(a, b, (x, y) => (compareQuantities(x, y) < 0 ? y : x));

const merge = (a: Amounts, b: Amounts, of: (x: Quantity, y: Quantity) => Quantity): Amounts => {
  const merged = new Map(a);
  for (const [name, amount] of b) {
    const known = merged.get(name);
    merged.set(name, known === undefined ? amount : of(known, amount));
  }
  return merged;
};

/** Names of what does not fit, in the order in which the Pod asks for it. */
export const shortages = (
  free: { readonly allocatable: Amounts; readonly used: Amounts },
  demand: Amounts,
): readonly string[] =>
  [...demand].flatMap(([name, amount]) => {
    const used = free.used.get(name);
    const after = used === undefined ? amount : addQuantities(used, amount);
    const limit = free.allocatable.get(name) ?? nothing;
    return after.nano > 0n && compareQuantities(after, limit) > 0 ? [name] : [];
  });

const nothing: Quantity = parseQuantity(0);

export const amountsOf = (quantities: Readonly<Record<string, string | number>> | undefined): Amounts =>
  new Map(Object.entries(quantities ?? {}).map(([name, text]) => [name, parseQuantity(text)]));
