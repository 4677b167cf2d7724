import { parseQuantity, quantitiesEqual } from '../../../../objects/index.ts';
import { record, records } from '../fields.ts';

/** The quality of service of a PodSpec (component-helpers: ComputePodQOS), by cpu and memory alone. */
export const qosClassOf = (spec: Readonly<Record<string, unknown>>): 'Guaranteed' | 'Burstable' | 'BestEffort' => {
  const containers = [...records(spec['initContainers']), ...records(spec['containers'])].map(amountsOf);
  if (containers.every(({ requests, limits }) => requests.size === 0 && limits.size === 0)) return 'BestEffort';
  const guaranteed = containers.every(
    ({ requests, limits }) =>
      limits.size === 2 && [...limits].every(([name, limit]) => equals(requests.get(name), limit)),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
};

interface Amounts {
  readonly requests: ReadonlyMap<string, string>;
  readonly limits: ReadonlyMap<string, string>;
}

const amountsOf = (container: Readonly<Record<string, unknown>>): Amounts => {
  const resources = record(container['resources']);
  const counted = (amounts: unknown): ReadonlyMap<string, string> =>
    new Map(
      Object.entries(record(amounts))
        .filter(([name, amount]) => (name === 'cpu' || name === 'memory') && !equals(String(amount), '0'))
        .map(([name, amount]) => [name, String(amount)]),
    );
  return { requests: counted(resources['requests']), limits: counted(resources['limits']) };
};

const equals = (a: string | undefined, b: string): boolean =>
  a !== undefined && quantitiesEqual(parseQuantity(a), parseQuantity(b));
