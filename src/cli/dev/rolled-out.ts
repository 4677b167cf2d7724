import type { ModelServing } from '../../api/index.ts';

/** The spec that was sent last is evaluated, and everything it asks for is there, updated and available. */
export const isRolledOut = (modelServing: ModelServing | undefined): boolean => {
  const status = modelServing?.status;
  if (modelServing === undefined || status === undefined) return false;
  const wanted = modelServing.spec.replicas ?? 1;
  return (
    status.observedGeneration === modelServing.metadata.generation &&
    status.currentRevision === status.updateRevision &&
    status.replicas === wanted &&
    status.updatedReplicas === wanted &&
    status.availableReplicas === wanted
  );
};
