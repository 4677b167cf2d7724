import { type Amounts, difference, sum } from './demand.ts';

/** What the Pods of one node take together. */
export interface Used {
  readonly amounts: Amounts;
  readonly pods: number;
}

/** Which Pod has a place on which node, and what that leaves: kept up to date, never added up anew. */
export interface Usage {
  /** The node of a Pod that has a place. */
  nodeOf(podUid: string): string | undefined;
  /** A Pod that was elsewhere moves. */
  put(podUid: string, place: Place): void;
  remove(podUid: string): void;
  of(node: string): Used;
}

export interface Place {
  readonly node: string;
  readonly demand: Amounts;
}

const nothing: Used = { amounts: new Map(), pods: 0 };

export const createUsage = (): Usage => {
  const places = new Map<string, Place>();
  const used = new Map<string, Used>();
  const of = (node: string): Used => used.get(node) ?? nothing;

  const remove = (podUid: string): void => {
    const place = places.get(podUid);
    if (place === undefined) return;
    places.delete(podUid);
    const { amounts, pods } = of(place.node);
    used.set(place.node, { amounts: difference(amounts, place.demand), pods: pods - 1 });
  };

  return {
    nodeOf: (podUid) => places.get(podUid)?.node,
    put: (podUid, place) => {
      remove(podUid);
      places.set(podUid, place);
      const { amounts, pods } = of(place.node);
      used.set(place.node, { amounts: sum(amounts, place.demand), pods: pods + 1 });
    },
    remove,
    of,
  };
};
