import type { ContainerProgress, PodProgress } from '../inplace/completion.ts';
import type { UnitView } from '../observe/assess.ts';
import type { PodView } from '../observe/pod-view.ts';

/** What keeps a unit in update from being complete, Pod by Pod; the worst first, at most three. */
export const describeTrouble = (unit: UnitView): string => {
  const missing = unit.required.filter(({ view }) => view === undefined).map(({ name }) => `Pod ${name} is missing`);
  const troubles = unit.pods.flatMap((pod) => podTrouble(unit, pod) ?? []);
  const all = [...missing, ...troubles];
  const more = all.length > 3 ? ` (and ${all.length - 3} more)` : '';
  return all.length === 0 ? 'nothing is known to be wrong' : `${all.slice(0, 3).join('; ')}${more}`;
};

const podTrouble = (unit: UnitView, pod: PodView): string | undefined => {
  if (pod.terminating) return `Pod ${pod.name} is terminating on node ${pod.pod.spec.nodeName ?? '(none)'}`;
  if (pod.finished) return `Pod ${pod.name} ${describeEnd(pod)}`;
  const verdict = unit.verdicts.get(pod.uid);
  switch (verdict?.state) {
    case undefined:
    case 'complete':
      return undefined;
    case 'not-ready':
      return `Pod ${pod.name} is not Ready${waitingReason(pod)}`;
    case 'other-revision':
      return `Pod ${pod.name} is not patched yet`;
    case 'unproved':
      return `Pod ${pod.name}: ${verdict.problem}`;
    case 'drifted':
      return `Pod ${pod.name}: the image of container ${verdict.container} was edited by hand`;
    case 'updating':
      return `Pod ${pod.name}: ${describeProgress(verdict.progress, pod)}`;
  }
};

/** How a Pod ended, as its kubelet or whoever evicted it says. */
export const describeEnd = ({ pod }: PodView): string => {
  const { phase, reason, message } = pod.status ?? {};
  const why = [reason, message].filter((part) => part !== undefined && part !== '').join(': ');
  return why === '' ? `ended as ${phase}` : `ended as ${phase} (${why})`;
};

const waitingReason = ({ pod }: PodView): string => {
  const unscheduled = pod.status?.conditions?.find((it) => it.type === 'PodScheduled' && it.status === 'False');
  if (unscheduled !== undefined)
    return `: not scheduled: ${unscheduled.message ?? unscheduled.reason ?? 'no reason given'}`;
  const waiting = pod.status?.containerStatuses?.find((it) => it.state?.waiting?.reason !== undefined);
  return waiting === undefined ? '' : `: container ${waiting.name} is in ${waiting.state?.waiting?.reason}`;
};

const describeProgress = (progress: PodProgress, pod: PodView): string => {
  const open = [...progress.containers].filter(([, { state }]) => state !== 'complete');
  if (open.length === 0) return pod.ready ? 'its marker awaits its patch' : `is not Ready${waitingReason(pod)}`;
  return open.map(([name, it]) => `container ${name}: ${describeContainer(it)}`).join(', ');
};

/** One line a state; a new state must not compile until it is described. */
const describeContainer = (it: ContainerProgress): string => {
  switch (it.state) {
    case 'waiting-for-kubelet':
      return 'the kubelet has not seen the new image yet';
    case 'stopping':
      return 'the old container has not been stopped yet';
    case 'pulling':
      return it.problem === undefined ? 'the image is being pulled' : `the image cannot be pulled: ${it.problem}`;
    case 'starting':
      return `not ready yet${it.restarts > 0 ? `, ${it.restarts} restarts` : ''}${it.problem === undefined ? '' : `: ${it.problem}`}`;
    case 'undone-by-admission':
      return `admission put the old image ${it.image} back; correct the webhook or the policy`;
    case 'drifted':
      return `its image was changed to ${it.image} by someone else`;
    case 'settling':
      return it.why === 'fresh'
        ? 'a new container runs, and must stand unchanged for a while before it counts'
        : 'it never stopped running this image, and must stand unchanged for a while before that counts';
    case 'complete':
      return 'complete';
  }
};

/** Whether an update stands still on something that will not heal by itself, however long one waits. */
export const isStalled = (unit: UnitView): boolean =>
  unit.pods.some((pod) => {
    const verdict = unit.verdicts.get(pod.uid);
    if (verdict?.state !== 'updating') return false;
    return [...verdict.progress.containers.values()].some(
      (it) =>
        (it.state === 'pulling' && it.problem !== undefined) ||
        (it.state === 'starting' && it.problem?.startsWith('CrashLoopBackOff') === true) ||
        it.state === 'undone-by-admission',
    );
  });
