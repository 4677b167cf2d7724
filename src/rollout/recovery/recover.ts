import type { Context } from '../context.ts';
import { deadlineState } from '../inplace/deadline.ts';
import type { LostInstance, UnitView } from '../observe/assess.ts';
import { type InstanceView, instanceKey } from '../observe/fleet.ts';
import { isAlive, type PodView } from '../observe/pod-view.ts';
import { describeEnd } from '../status/trouble.ts';
import { countRecreation, recreationWaitMs, waitForBackOff } from './back-off.ts';
import { failedByRestart } from './failed-by-restart.ts';
import { graceOf } from './grace.ts';

/**
 * Losses and failures, by the recovery policy. A recovery deletes the Pod that justifies it first, alone, with its UID
 * and resourceVersion: that is the point of no return, and a Pod that has recovered meanwhile answers 409. What is left
 * follows as lost in part, until no Pod remains; then the record keeps the ordinal alone, and the instance is filled again.
 *
 * @returns keys of the instances that must not be filled now
 */
export const recover = (context: Context, units: readonly UnitView[]): ReadonlySet<string> => {
  const blocked = new Set<string>();
  if (context.settings.recoveryPolicy === 'ServingGroupRecreate') {
    for (const group of groupsOf(units).values()) recoverGroup(context, group, blocked);
  } else {
    for (const unit of units) recoverInstances(context, unit, blocked);
  }
  for (const unit of units) {
    if (unit.pods.some((pod) => pod.finished)) replaceFinished(context, unit);
  }
  for (const unit of units) failRestarted(context, unit, blocked);
  return blocked;
};

const groupsOf = (units: readonly UnitView[]): ReadonlyMap<number, readonly UnitView[]> => {
  const groups = new Map<number, UnitView[]>();
  for (const unit of units) groups.set(unit.group, [...(groups.get(unit.group) ?? []), unit]);
  return groups;
};

/** ServingGroupRecreate: one lost instance takes the whole group with it, and nothing is filled until all is gone. */
const recoverGroup = (context: Context, units: readonly UnitView[], blocked: Set<string>): void => {
  const lost = units.flatMap((unit) => unit.lost).filter(({ instance }) => isStillLost(context, instance));
  if (lost.length === 0) return;
  const instances = units.flatMap((unit) => unit.instances);
  removeLost(context, { lost, instances, title: `group ${units[0]?.group}` }, blocked);
};

/** RoleRecreate: the instance that lost a Pod, and no other. None: only the Pod, which `fill` brings back. */
const recoverInstances = (context: Context, unit: UnitView, blocked: Set<string>): void => {
  if (context.settings.recoveryPolicy === 'None') return;
  for (const loss of unit.lost) {
    if (!isStillLost(context, loss.instance)) continue;
    removeLost(context, { lost: [loss], instances: [loss.instance], title: unit.title }, blocked);
  }
};

interface Removal {
  /** What misses a Pod. */
  readonly lost: readonly LostInstance[];
  /** What goes with it. */
  readonly instances: readonly InstanceView[];
  readonly title: string;
}

const removeLost = (context: Context, { lost, instances, title }: Removal, blocked: Set<string>): void => {
  const { draft, records } = context;
  const pods = instances.flatMap((instance) => instance.pods);
  if (pods.length === 0) {
    for (const instance of instances) records.vacate(instance);
    draft.milestone();
    return;
  }
  const block = (): void => {
    for (const instance of instances) blocked.add(instanceKey(instance));
  };
  if (lost.every(({ cause }) => cause === 'finished')) {
    const begun = lost.filter(({ instance }) => deleteFinished(context, instance, title));
    if (begun.length > 0) block();
    return;
  }
  block();
  for (const pod of pods) draft.deletePod(pod, `${title}: recreated, because it lost a Pod`);
  waitForTermination(context, title, pods);
};

/** @returns whether a Pod is deleted; one that failed soon after it was made is left for a while. */
const deleteFinished = (context: Context, instance: InstanceView, title: string): boolean => {
  const { draft } = context;
  const due: PodView[] = [];
  for (const pod of instance.pods) {
    if (!pod.finished || pod.terminating || draft.touches(pod)) continue;
    const leftMs = recreationWaitMs(context, pod);
    if (leftMs > 0) waitForBackOff(context, { title }, { pod, problem: 'has ended', leftMs });
    else due.push(pod);
  }
  countRecreation(context, due);
  for (const pod of due) draft.deletePod(pod, `${title}: Pod ${describeEnd(pod)}`, { health: true });
  return due.length > 0;
};

/** Never force-deleted: a Pod that cannot end is named, with its node, so that a person can act. */
export const waitForTermination = ({ draft }: Context, title: string, pods: readonly PodView[]): void => {
  const ending = pods
    .filter((pod) => pod.terminating)
    .map((pod) => `${pod.name} on node ${pod.pod.spec.nodeName ?? '(none)'}`);
  if (ending.length === 0) return;
  const message = `waits for ${ending.join(', ')} to end; it is never force-deleted: if the node is gone, delete the Node or the Pod`;
  draft.wait({ unit: title, reason: 'PodsTerminating', message });
};

/** What was taken down on purpose is no loss, nor when its last Pod has gone and this very decision drops its record. */
const isStillLost = ({ records }: Context, instance: InstanceView): boolean => records.get(instance)?.leaving === false;

const isLeaving = ({ records }: Context, instance: InstanceView): boolean => records.isLeaving(instance);

/** A Failed or Succeeded Pod that no group recovery took: with None, or of an instance that was never whole. */
const replaceFinished = (context: Context, unit: UnitView): void => {
  for (const instance of unit.instances) {
    const isRecovered = context.settings.recoveryPolicy !== 'None' && context.records.get(instance) !== undefined;
    if (!isRecovered) deleteFinished(context, instance, unit.title);
  }
};

/**
 * A Pod of a failed attempt that is not complete: it has restarted because the update made it, and what becomes of it
 * is for the passed deadline to say, one group at a time.
 */
const isUpToDeadline = (unit: UnitView, pod: PodView): boolean => unit.verdicts.get(pod.uid)?.state === 'updating';

/**
 * Pods that are not Ready after a restart. Inside an open update window every restart is absorbed, whichever Pod of the
 * unit it hits: peers of one engine crash each other.
 */
const failRestarted = (context: Context, unit: UnitView, blocked: ReadonlySet<string>): void => {
  const { settings, draft, time, memory } = context;
  if (settings.recoveryPolicy === 'None' || memory.statusPruned || unit.pods.every((pod) => pod.ready)) return;
  const deadline = deadlineState(unit, { records: context.records, time, deadlineMs: settings.deadlineMs });
  if (unit.attempt !== undefined && (deadline.state === 'running' || deadline.state === 'settling')) return;
  for (const instance of unit.instances) {
    if (blocked.has(instanceKey(instance)) || isLeaving(context, instance)) continue;
    for (const pod of instance.pods) {
      if (!isAlive(pod) || draft.touches(pod) || isUpToDeadline(unit, pod)) continue;
      const problem = failedByRestart(pod.pod);
      if (problem === undefined) continue;
      const grace = graceOf(pod.pod, settings.restartGraceMs, time.wall);
      if (grace.state === 'over') {
        const leftMs = recreationWaitMs(context, pod);
        if (leftMs > 0) {
          waitForBackOff(context, unit, { pod, problem: `is not Ready (${problem})`, leftMs });
          continue;
        }
        countRecreation(context, [pod]);
        draft.deletePod(pod, `${unit.title}: ${problem}`, { health: true });
        break;
      }
      if (grace.state === 'unwritten') {
        draft.patchPod(pod, { key: `grace/${pod.uid}`, body: grace.body, why: `${unit.title}: ${problem}` });
        draft.wakeIn(settings.restartGraceMs);
      } else {
        draft.wakeIn(grace.leftMs);
      }
      const message = `Pod ${pod.name} is not Ready: ${problem}; it is recreated unless it recovers within restartGracePeriodSeconds`;
      draft.wait({ unit: unit.title, reason: 'RestartGrace', message });
    }
  }
};
