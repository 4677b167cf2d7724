import { groupName, type RoleInstanceIdentity, roleId } from '../../api/index.ts';
import type { Reason } from '../../eligibility/index.ts';
import { fnv1 } from '../../objects/index.ts';
import type { PluginProblem } from '../../plugins/index.ts';
import type { Context } from '../context.ts';
import type { Goal } from '../inplace/update-unit.ts';
import type { UnitView } from '../observe/assess.ts';
import type { PodView } from '../observe/pod-view.ts';
import type { EventIntent, Refusal, RoleInstancePhase } from '../types.ts';

/**
 * Names an event by what it is about, so that sending it twice (a retry, a restart, two operators) makes one event.
 * Two independent 32-bit hashes keep accidental equality out of reach.
 */
const eventName = (context: Pick<Context, 'msName' | 'ownerUID'>, parts: readonly string[]): string => {
  const text = new TextEncoder().encode([context.ownerUID, ...parts].join('\n'));
  const hex = (value: number): string => value.toString(16).padStart(8, '0');
  return `${context.msName}.${hex(fnv1(text))}${hex(fnv1(text.toReversed()))}`;
};

/** An update of a unit begins, in place. */
export const startedEvent = (context: Context, unit: UnitView, goal: Goal): EventIntent => ({
  name: eventName(context, ['InPlaceUpdateStarted', unit.key, goal.revision, goal.startedAt]),
  type: 'Normal',
  reason: 'InPlaceUpdateStarted',
  message: `${unit.key}: images are patched in place, revision ${unit.revision ?? 'unknown'} to ${goal.revision}`,
});

export const completedEvent = (context: Context, unit: UnitView): EventIntent => ({
  name: eventName(context, [
    'InPlaceUpdateCompleted',
    unit.key,
    unit.attempt?.target ?? '',
    unit.attempt?.startedAt ?? '',
  ]),
  type: 'Normal',
  reason: 'InPlaceUpdateCompleted',
  message: `${unit.key}: every patched container runs revision ${unit.attempt?.target} and is Ready`,
});

/** Why a unit is recreated although updateMethod is InPlace: once per unit and target. */
export const fallbackEvent = (context: Context, unit: UnitView, reasons: readonly Reason[]): EventIntent => {
  const shown = reasons.slice(0, 3).map((reason) => reason.message);
  const more = reasons.length > shown.length ? ` (and ${reasons.length - shown.length} more)` : '';
  return {
    name: eventName(context, ['InPlaceUpdateFallback', unit.key, context.catalog.target]),
    type: 'Warning',
    reason: 'InPlaceUpdateFallback',
    message: `${unit.key} is recreated for revision ${context.catalog.target}, ${reasons.length} reason${reasons.length === 1 ? '' : 's'}: ${shown.join('; ')}${more}`,
  };
};

export const deadlineEvent = (context: Context, unit: UnitView, trouble: string): EventIntent => ({
  name: eventName(context, [
    'ProgressDeadlineExceeded',
    unit.key,
    unit.attempt?.target ?? '',
    unit.attempt?.startedAt ?? '',
  ]),
  type: 'Warning',
  reason: 'ProgressDeadlineExceeded',
  message: `${unit.key} did not complete revision ${unit.attempt?.target} within ${context.settings.deadlineMs / 1000} s: ${trouble}`,
});

export const patchFailedEvent = (
  context: Context,
  unit: UnitView,
  it: { readonly pod: PodView; readonly refusal: Refusal; readonly revision: string },
): EventIntent => ({
  name: eventName(context, ['InPlaceUpdatePatchFailed', it.pod.uid, it.revision, it.refusal.message]),
  type: 'Warning',
  reason: 'InPlaceUpdatePatchFailed',
  message: `${unit.key}: the API server refuses the patch of Pod ${it.pod.name}: ${it.refusal.message}`,
});

export const stateInvalidEvent = (context: Context, pod: PodView, problem: string): EventIntent => ({
  name: eventName(context, ['InPlaceUpdateStateInvalid', pod.uid, problem]),
  type: 'Warning',
  reason: 'InPlaceUpdateStateInvalid',
  message: `Pod ${pod.name}: ${problem}; its update state counts as absent`,
});

export const driftEvent = (
  context: Context,
  pod: PodView,
  it: { readonly container: string; readonly live: string; readonly generation: number | undefined },
): EventIntent => ({
  name: eventName(context, ['InPlaceImageDrift', pod.uid, it.container, it.live, String(it.generation ?? '')]),
  type: 'Warning',
  reason: 'InPlaceImageDrift',
  message: `Pod ${pod.name}: the image of container ${it.container} was changed to ${it.live} by someone else; it is patched back`,
});

/** The API server lets no Pod be made; once for each revision, however many Pods it is about. */
export const creationRefusedEvent = (
  context: Context,
  it: { readonly pod: string; readonly revision: string; readonly refusal: Refusal },
): EventIntent => ({
  name: eventName(context, ['PodCreationRefused', it.revision]),
  type: 'Warning',
  reason: 'PodCreationRefused',
  message: `the API server refuses to create Pod ${it.pod}, and perhaps others: ${it.refusal.message}`,
});

/** A partition that cannot be read holds everything back; it names its field. */
export const invalidPartitionEvent = (context: Context, problem: string): EventIntent => ({
  name: eventName(context, ['InvalidPartition', problem]),
  type: 'Warning',
  reason: 'InvalidPartition',
  message: `${problem}; no unit it is for is updated`,
});

/** Why no Pod can be made: a plugin that cannot be used. */
export const pluginFailedEvent = (context: Context, { message }: PluginProblem): EventIntent => ({
  name: eventName(context, ['PluginFailed', message]),
  type: 'Warning',
  reason: 'PluginFailed',
  message: `no Pod is made: ${message}`,
});

/** Volcano is older than what the user asks for: the gang is weaker. */
export const gangDegradedEvent = (context: Context, loss: string): EventIntent => ({
  name: eventName(context, ['GangDegraded', loss]),
  type: 'Warning',
  reason: 'GangDegraded',
  message: loss,
});

/** A role instance went from one phase to another between two decisions of this process (upstream's reasons). */
export const phaseEvent = (context: Context, id: RoleInstanceIdentity, phase: RoleInstancePhase): EventIntent => {
  const instance = roleId(id.role, id.instance);
  const group = groupName(context.msName, id.group);
  return {
    name: eventName(context, [`Role${phase}`, group, instance, String(context.time.wall)]),
    type: 'Normal',
    reason: `Role${phase}`,
    message: `Role ${id.role}/${instance} in ServingGroup ${group} is now ${phase}`,
  };
};
