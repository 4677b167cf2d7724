import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';
import { type InstanceView, instanceKey } from '../observe/fleet.ts';
import { isAlive, type PodView } from '../observe/pod-view.ts';

/** As the kubelet does with a container that crashes: five minutes at most, and ten without a crash end it. */
const longestMs = 5 * 60_000;
const stableMs = 10 * 60_000;

/**
 * How long a Pod that has failed stays as it is before it is made again, milliseconds: from its creation on 1, 2, 4, …
 * 300 s, by how often in a row its role instance was made again for the present spec. One that ran for longer goes at
 * once. Meanwhile nothing is lost: what it ended with can be read, and a crashed one may recover.
 *
 * The count stands in the status, written before the Pod is deleted; the clock is the Pod's own creationTimestamp. So a
 * restart of the operator neither shortens nor prolongs the wait.
 */
export const recreationWaitMs = (context: Context, pod: PodView): number => {
  const delayMs = Math.min(longestMs, 1000 * 2 ** timesOf(context, pod));
  return Math.max(0, delayMs - ageMs(context, pod));
};

/** Counts the instance as made again for these Pods; one that ran stably before starts at one. */
export const countRecreation = (context: Context, pods: readonly PodView[]): void => {
  const [first] = pods;
  if (first === undefined) return;
  const { group, role, instance } = first;
  const isStable = pods.every((pod) => ageMs(context, pod) >= stableMs);
  const times = isStable ? 1 : timesOf(context, first) + 1;
  context.records.recreate({ group, role, instance, revision: context.catalog.target, times });
  context.draft.milestone();
};

/** Says what a failed Pod waits for, and sees to it that this ends. */
export const waitForBackOff = (
  { draft, time, records }: Context,
  unit: { readonly title: string },
  it: { readonly pod: PodView; readonly problem: string; readonly leftMs: number },
): void => {
  const { pod, problem, leftMs } = it;
  draft.wakeIn(leftMs);
  const at = new Date(time.wall + leftMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const times = records.recreation(pod)?.times ?? 0;
  const message = `Pod ${pod.name} ${problem} soon after it was made, for the ${ordinal(times + 1)} time in a row; it is made again at ${at}, or at once when the spec is corrected or the Pod deleted`;
  draft.wait({ unit: unit.title, reason: 'RecreationBackOff', message });
};

/** Instances that are gone, whole and Ready for long enough, or wanted from another spec by now. */
export const forgetRecreations = (context: Context, units: readonly UnitView[]): void => {
  const { records, draft, catalog } = context;
  if (records.recreations().length === 0) return;
  const wanted = new Map<string, UnitView>();
  for (const unit of units) for (const instance of unit.instances) wanted.set(instanceKey(instance), unit);
  for (const recreation of records.recreations()) {
    const unit = wanted.get(instanceKey(recreation));
    const leftMs = unit === undefined ? 0 : unstableMs(context, unit, recreation);
    if (leftMs === 0 || !catalog.same(recreation.revision, catalog.target)) records.forgetRecreation(recreation);
    else if (Number.isFinite(leftMs)) draft.wakeIn(leftMs);
  }
};

/** Until the instance counts as stable; without end while a Pod of it is missing or not Ready. */
const unstableMs = (
  context: Context,
  unit: UnitView,
  id: Pick<InstanceView, 'group' | 'role' | 'instance'>,
): number => {
  const own = unit.required.filter((pod) => instanceKey(pod) === instanceKey(id));
  const left = own.map(({ view }) =>
    view !== undefined && isAlive(view) && view.ready ? Math.max(0, stableMs - ageMs(context, view)) : Infinity,
  );
  return Math.max(0, ...left);
};

const timesOf = ({ records, catalog, memory }: Context, pod: PodView): number => {
  // Without a place for the count every failure is one of several.
  if (memory.statusPruned) return countWherePruned;
  const recreation = records.recreation(pod);
  return recreation !== undefined && catalog.same(recreation.revision, catalog.target) ? recreation.times : 0;
};

const countWherePruned = 5;

/** By two clocks, the API server's and ours: what seems to come from the future is new. */
const ageMs = ({ time }: Context, { pod }: PodView): number => {
  const created = Date.parse(pod.metadata.creationTimestamp ?? '');
  return Number.isNaN(created) ? longestMs : Math.max(0, time.wall - created);
};

const ordinal = (count: number): string => {
  const last = count % 100 >= 11 && count % 100 <= 13 ? 0 : count % 10;
  return `${count}${['th', 'st', 'nd', 'rd'][last] ?? 'th'}`;
};
