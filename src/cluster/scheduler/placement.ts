import {
  type Node,
  type NodeSelectorTerm,
  nameOf,
  type Pod,
  type Taint,
  type Toleration,
} from '../../objects/index.ts';
import { type Amounts, amountsOf, shortages } from './demand.ts';
import type { Used } from './usage.ts';

/** A node with what its Pods take already. */
export interface Candidate {
  readonly node: Node;
  readonly used: Used;
}

export type Placement =
  | { readonly outcome: 'placed'; readonly node: string }
  /** In the words of kube-scheduler. */
  | { readonly outcome: 'unschedulable'; readonly message: string };

/**
 * Where a Pod goes: the fitting node with the fewest Pods, the first by name among equals.
 *
 * Served are room (Pods and every requested resource), nodeSelector, required node affinity, taints and cordons.
 */
export const place = (pod: Pod, demand: Amounts, candidates: readonly Candidate[]): Placement => {
  const refusals = new Map<string, number>();
  let best: Candidate | undefined;
  for (const candidate of candidates) {
    const reasons = reasonsAgainst(pod, demand, candidate);
    for (const reason of reasons) refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
    if (reasons.length === 0 && (best === undefined || isBetter(candidate, best))) best = candidate;
  }
  if (best !== undefined) return { outcome: 'placed', node: nameOf(best.node) };
  return { outcome: 'unschedulable', message: describe(candidates.length, refusals) };
};

const isBetter = (a: Candidate, b: Candidate): boolean =>
  a.used.pods !== b.used.pods ? a.used.pods < b.used.pods : nameOf(a.node) < nameOf(b.node);

const describe = (nodes: number, refusals: ReadonlyMap<string, number>): string => {
  if (nodes === 0) return 'no nodes available to schedule pods';
  const reasons = [...refusals].map(([reason, count]) => `${count} ${reason}`).toSorted();
  return `0/${nodes} nodes are available: ${reasons.join(', ')}.`;
};

const reasonsAgainst = (pod: Pod, demand: Amounts, { node, used }: Candidate): readonly string[] => {
  if (node.spec.unschedulable === true && !tolerates(pod.spec.tolerations, cordon)) {
    return ['node(s) were unschedulable'];
  }
  const taint = (node.spec.taints ?? []).find(
    (candidate) => candidate.effect !== 'PreferNoSchedule' && !tolerates(pod.spec.tolerations, candidate),
  );
  if (taint !== undefined) return [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`];
  if (!matchesNode(pod, node)) return ["node(s) didn't match Pod's node affinity/selector"];
  const allocatable = amountsOf(node.status?.allocatable);
  return shortages({ allocatable, used: used.amounts }, demand).map((name) =>
    name === 'pods' ? 'Too many pods' : `Insufficient ${name}`,
  );
};

const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

export const tolerates = (tolerations: readonly Toleration[] | undefined, taint: Taint): boolean =>
  (tolerations ?? []).some(
    ({ key, operator, value, effect }) =>
      (effect === undefined || effect === taint.effect) &&
      (key === undefined || key === taint.key) &&
      (operator === 'Exists' || (key !== undefined && (value ?? '') === (taint.value ?? ''))),
  );

const matchesNode = (pod: Pod, node: Node): boolean => {
  const labels = node.metadata.labels ?? {};
  const selected = Object.entries(pod.spec.nodeSelector ?? {}).every(([key, value]) => labels[key] === value);
  const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return selected && (terms === undefined || terms.some((term) => matchesTerm(term, node)));
};

const matchesTerm = (term: NodeSelectorTerm, node: Node): boolean => {
  const labels = node.metadata.labels ?? {};
  const fields: Readonly<Record<string, string>> = { 'metadata.name': nameOf(node) };
  const requirements = [
    ...(term.matchExpressions ?? []).map((expression) => ({ ...expression, value: labels[expression.key] })),
    ...(term.matchFields ?? []).map((expression) => ({ ...expression, value: fields[expression.key] })),
  ];
  return requirements.length > 0 && requirements.every(meets);
};

interface Requirement {
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
  /** The node's. */
  readonly value: string | undefined;
}

const meets = ({ operator, values = [], value }: Requirement): boolean => {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
};
