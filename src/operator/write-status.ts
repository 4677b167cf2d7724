import type { ModelServing, ModelServingStatus } from '../api/index.ts';
import { refOf, resourceVersionOf } from '../objects/index.ts';
import { type EffectContext, type Outcome, outcomeOf } from './perform-effect.ts';
import { modelServings } from './resources.ts';
import { keepsMilestones, statusPatch } from './status-patch.ts';

/**
 * Brings the live status to the wanted one, if they differ. The patch carries the resourceVersion of the object that was
 * decided on, so a status computed from an older object is never written.
 *
 * A CRD without `units` and `failures` prunes them without a word. The answer shows it: then the world differs from what
 * was decided on (nothing protects what a milestone was to protect), and the fields are left out until the CRD has them.
 */
export const writeStatus = async (
  context: EffectContext,
  modelServing: ModelServing,
  wanted: ModelServingStatus,
): Promise<Outcome> => {
  const { memory } = context;
  const patch = statusPatch(modelServing.status, memory.statusPruned ? withoutMilestones(wanted) : wanted);
  if (patch === undefined) return { result: 'done' };
  const body = { metadata: { resourceVersion: resourceVersionOf(modelServing) }, status: patch };
  try {
    const target = refOf(modelServing);
    const answer = await context.client.patch(
      modelServings,
      target,
      { type: 'merge', body },
      { subresource: 'status' },
    );
    context.caches.written('modelservings', answer);
    const kept = keepsMilestones(patch, answer.status);
    memory.statusPruned = kept === undefined ? memory.statusPruned : !kept;
    if (kept === false)
      return { result: 'doubtful', message: 'the installed CRD prunes status.units or status.failures' };
    return { result: 'done' };
  } catch (error) {
    return outcomeOf(error);
  }
};

const withoutMilestones = ({
  units: _units,
  failures: _failures,
  recreations: _recreations,
  ...rest
}: ModelServingStatus): ModelServingStatus => rest;
