import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';
import { instanceKey } from '../observe/fleet.ts';
import type { RoleInstancePhase } from '../types.ts';
import { phaseEvent } from './events.ts';

/** The phase of every role instance that exists or is wanted, by `instanceKey`. */
export const phasesOf = (
  context: Context,
  units: readonly UnitView[],
  blocked: ReadonlySet<string>,
): ReadonlyMap<string, RoleInstancePhase> => {
  const phases = new Map<string, RoleInstancePhase>();
  for (const [key, instance] of context.fleet.instances) {
    if (instance.pods.length > 0) phases.set(key, 'Deleting');
  }
  for (const unit of units) {
    for (const { instance, required, ready } of unit.standings) {
      const key = instanceKey(instance);
      const isGoing = blocked.has(key) || context.records.isLeaving(instance);
      phases.set(key, isGoing ? 'Deleting' : ready && required.length > 0 ? 'Running' : 'Creating');
    }
  }
  return phases;
};

/** Events for phases that changed since this process's previous decision; none on its first. */
export const reportPhases = (context: Context, phases: ReadonlyMap<string, RoleInstancePhase>): void => {
  const isNew = context.modelServing.status?.observedGeneration === undefined;
  const previous = context.memory.phases ?? (isNew ? new Map<string, RoleInstancePhase>() : undefined);
  if (previous === undefined) return;
  for (const [key, phase] of phases) {
    if (previous.get(key) === phase) continue;
    const [group = '', role = '', instance = ''] = key.split('/');
    context.draft.event(phaseEvent(context, { group: Number(group), role, instance: Number(instance) }, phase));
  }
};
