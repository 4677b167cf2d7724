import type { Context } from '../context.ts';
import { podProgress } from '../inplace/completion.ts';
import type { UnitView } from './assess.ts';
import type { InstanceView } from './fleet.ts';

/** What became of an instance that has all its Pods and no record. */
export type Entry = 'entered' | 'reopened' | 'waiting';

/**
 * Records role instances the first time all their Pods exist. One whose Pods carry markers had a record that was lost
 * (status wiped, or pruned by an older CRD): it is entered as complete if its Pods are, else its attempt is opened again
 * with a fresh clock; while that is being settled it only waits.
 */
export const enterInstances = (context: Context, unit: UnitView): readonly Entry[] =>
  context.memory.statusPruned ? [] : unit.unrecorded.map((instance) => enter(context, unit, instance));

const enter = (context: Context, unit: UnitView, instance: InstanceView): Entry => {
  const { records, draft } = context;
  const { group, role, instance: ordinal } = instance;
  const id = { group, role, instance: ordinal };
  const attempts = instance.pods.flatMap(({ marker }) => (marker.state === 'valid' ? [marker.marker.attempt] : []));
  if (attempts.length === 0) {
    records.set({ ...id, completed: 0, leaving: false });
    return 'entered';
  }
  const attempt = Math.max(...attempts);
  const standings = instance.pods.map((pod) => standingOf(context, pod));
  const waits = standings.flatMap((it) => (it.state === 'settling' ? [it] : []));
  if (standings.every((it) => it.state === 'complete')) {
    records.set({ ...id, completed: attempt, leaving: false });
    return 'entered';
  }
  if (standings.some((it) => it.state === 'open')) {
    records.set({ ...id, completed: attempt - 1, leaving: false });
    draft.milestone();
    return 'reopened';
  }
  for (const { pod, leftMs } of waits) {
    if (leftMs > 0) draft.wakeIn(leftMs);
    else draft.readPod(pod, `${unit.title}: its record was lost and is rebuilt`);
  }
  const message = 'the record of its updates was lost; it is rebuilt when its Pods have settled';
  draft.wait({ unit: unit.title, reason: 'RecordLost', message });
  return 'waiting';
};

type Standing =
  | { readonly state: 'complete' }
  | { readonly state: 'open' }
  | { readonly state: 'settling'; readonly pod: InstanceView['pods'][number]; readonly leftMs: number };

const standingOf = ({ catalog, memory, time, settings }: Context, pod: InstanceView['pods'][number]): Standing => {
  if (pod.marker.state !== 'valid') return { state: pod.ready ? 'complete' : 'open' };
  const { marker } = pod.marker;
  if (!catalog.same(pod.revision ?? '', marker.target)) return { state: 'open' };
  const progress = podProgress({ pod: pod.pod, marker, memory, time, deadlineMs: settings.deadlineMs });
  if (progress.complete) return { state: 'complete' };
  return progress.settling ? { state: 'settling', pod, leftMs: progress.settlesInMs ?? 0 } : { state: 'open' };
};
