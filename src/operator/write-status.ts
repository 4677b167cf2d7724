import type { ModelServing, ModelServingStatus } from '../api/index.ts';
import { refOf, resourceVersionOf } from '../objects/index.ts';
import { type EffectContext, type Outcome, outcomeOf } from './perform-effect.ts';
import { modelServings } from './resources.ts';
import { keepsMilestones, statusPatch } from './status-patch.ts';

/**
 * Brings the live status to the wanted one, if they differ. The patch carries the resourceVersion of the object that was
 * decided on, so a status computed from an older object is never written.
 */
export const writeStatus = async (
  context: EffectContext,
  modelServing: ModelServing,
  wanted: ModelServingStatus,
): Promise<Outcome> => {
  const patch = statusPatch(modelServing.status, wanted);
  if (patch === undefined) return { result: 'done' };
  const body = { metadata: { resourceVersion: resourceVersionOf(modelServing) }, status: patch };
  try {
    const answer = await context.client.patch(
      modelServings,
      refOf(modelServing),
      { type: 'merge', body },
      { subresource: 'status' },
    );
    context.caches.written('modelservings', answer);
    context.memory.statusPruned = !(keepsMilestones(patch, answer.status) ?? !context.memory.statusPruned);
    return { result: 'done' };
  } catch (error) {
    return outcomeOf(error);
  }
};
