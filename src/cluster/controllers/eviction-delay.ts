import type { Taint, Toleration } from '../../objects/index.ts';
import { tolerates } from '../scheduler/placement.ts';

/** Taints of a node that is not ready; Pods get 300 s for them at admission (DefaultTolerationSeconds). */
const ofLostNodes: readonly string[] = ['node.kubernetes.io/unreachable', 'node.kubernetes.io/not-ready'];
const defaultSeconds = 300;

/**
 * How many seconds a Pod may stay on a node with these taints; undefined: for ever. Only NoExecute counts. Of several
 * tolerations of one taint the shortest rules, as does the shortest of several taints (`getMinTolerationTime`).
 */
export const evictionDelay = (
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
): number | undefined => {
  const delays = (taints ?? [])
    .filter((taint) => taint.effect === 'NoExecute')
    .map((taint) => delayOf(taint, tolerations ?? []));
  const shortest = Math.min(...delays);
  return Number.isFinite(shortest) ? shortest : undefined;
};

const delayOf = (taint: Taint, tolerations: readonly Toleration[]): number => {
  const matching = tolerations.filter((toleration) => tolerates([toleration], taint));
  if (matching.length === 0) return ofLostNodes.includes(taint.key) ? defaultSeconds : 0;
  return Math.min(
    ...matching.map(({ tolerationSeconds = Number.POSITIVE_INFINITY }) => Math.max(0, tolerationSeconds)),
  );
};
