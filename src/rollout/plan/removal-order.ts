import { podDeletionCostAnnotation } from '../../api/index.ts';
import { isAlive, type PodView } from '../observe/pod-view.ts';

/** What is removed together when scaling down: a group, or a role instance. */
export interface RemovalCandidate {
  readonly ordinal: number;
  readonly pods: readonly PodView[];
}

/**
 * Who goes first when scaling down: what is already half gone (it counts as removed), then what the partition does
 * not protect, what is not Ready, what costs less to delete, and the highest ordinal.
 *
 * @param partition  how many of the lowest ordinals are protected
 */
export const removalOrder = (candidates: readonly RemovalCandidate[], partition: number): readonly number[] => {
  const ascending = [...candidates].sort((a, b) => a.ordinal - b.ordinal);
  return ascending
    .map(({ ordinal, pods }, rank) => ({
      ordinal,
      whole: pods.length > 0 && pods.every(isAlive) ? 1 : 0,
      protected: rank < partition ? 1 : 0,
      ready: pods.every((pod) => pod.ready) ? 1 : 0,
      cost: pods.reduce((sum, pod) => sum + deletionCost(pod), 0),
    }))
    .sort(
      (a, b) =>
        a.whole - b.whole || a.protected - b.protected || a.ready - b.ready || a.cost - b.cost || b.ordinal - a.ordinal,
    )
    .map(({ ordinal }) => ordinal);
};

const deletionCost = ({ pod }: PodView): number => {
  const value = Number(pod.metadata.annotations?.[podDeletionCostAnnotation] ?? '0');
  return Number.isInteger(value) ? value : 0;
};
