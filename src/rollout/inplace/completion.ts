import type { Container, ContainerStatus, Pod } from '../../objects/index.ts';
import { isTerminating, namesSameImage, resourceVersionOf, uidOf } from '../../objects/index.ts';
import type { Memory, PodSighting, Time } from '../types.ts';
import type { MarkedContainer, Marker } from './marker.ts';
import { startedAfter } from './sightings.ts';

/** What is known about one patched container of a Pod under an in-place update. */
export type ContainerProgress =
  | { readonly state: 'waiting-for-kubelet' }
  | { readonly state: 'stopping' }
  | { readonly state: 'pulling'; readonly problem?: string | undefined }
  | { readonly state: 'starting'; readonly restarts: number; readonly problem?: string | undefined }
  | { readonly state: 'undone-by-admission'; readonly image: string }
  | { readonly state: 'drifted'; readonly image: string }
  | { readonly state: 'settling'; readonly why: WeakEvidence }
  | { readonly state: 'complete'; readonly evidence: Evidence };

/** Why a container is believed to run the target. */
export type Evidence = 'proved' | 'fresh-and-named' | 'settled';

/** What there is to settle on: a container new since the patch, or the very one that ran this image before. */
export type WeakEvidence = 'fresh' | 'no-op';

/** What is known about one Pod under an in-place update. */
export interface PodProgress {
  readonly complete: boolean;
  readonly containers: ReadonlyMap<string, ContainerProgress>;
  /** Every container is complete or settling and the Pod is Ready: nothing is left but to wait, or to be proved wrong. */
  readonly settling: boolean;
  /** Milliseconds until the settle wait ends; 0 where only the confirming read is missing. Set while settling. */
  readonly settlesInMs?: number | undefined;
}

export interface CompletionInput {
  readonly pod: Pod;
  /** A valid marker. */
  readonly marker: Marker;
  readonly memory: Memory;
  readonly time: Time;
  /** The progress deadline, milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Whether a Pod is complete for its marker's target: the target image really runs, in every patched container, and the
 * Pod is Ready. Image strings and IDs are never compared for equality with the spec alone; docs/design/completion.md
 * has the rule and the recorded traces that force it.
 */
export const podProgress = (input: CompletionInput): PodProgress => {
  const { pod, marker, memory } = input;
  const sighting = memory.sightings.get(uidOf(pod));
  const containers = new Map<string, ContainerProgress>();
  for (const [name, marked] of Object.entries(marker.containers)) {
    containers.set(name, containerProgress(input, { name, marked, sighting }));
  }
  const states = [...containers.values()];
  const sound = isSound(pod) && marker.phase === 'Patched' && !isStale(pod, marker);
  if (!sound || !states.every((it) => it.state === 'complete' || it.state === 'settling')) {
    return { complete: false, containers, settling: false };
  }
  if (states.every((it) => it.state === 'complete')) return { complete: true, containers, settling: false };
  const settlesInMs = settleLeftMs(input, sighting);
  if (settlesInMs === 0 && wasReadUnchanged(input, sighting)) {
    for (const [name, it] of containers) {
      if (it.state === 'settling') containers.set(name, { state: 'complete', evidence: 'settled' });
    }
    return { complete: true, containers, settling: false };
  }
  return { complete: false, containers, settling: true, settlesInMs };
};

interface MarkedContainerInput {
  readonly name: string;
  readonly marked: MarkedContainer;
  readonly sighting: PodSighting | undefined;
}

const containerProgress = (input: CompletionInput, it: MarkedContainerInput): ContainerProgress => {
  const { pod, marker } = input;
  const live = pod.spec.containers.find((container) => container.name === it.name)?.image ?? '';
  const trust = imageTrust(input, it.marked, { container: it.name, live });
  if (trust !== 'trusted') return { state: trust, image: live };
  const status = pod.status?.containerStatuses?.find((entry) => entry.name === it.name);
  const unready = notRunning(pod, status, { marked: it.marked, stale: isStale(pod, marker) });
  if (unready !== undefined) return unready;
  const containerID = status?.containerID ?? '';
  const imageID = status?.imageID ?? '';
  const { baseline } = it.marked;
  const generation = expectedGeneration(pod, marker);
  if (generation !== undefined && startedAfter(it.sighting, it.name, { containerID, generation })) {
    return { state: 'complete', evidence: 'proved' };
  }
  const named = namesSameImage(status?.image ?? '', imageID, live);
  const fresh = baseline.containerID === undefined || baseline.containerID !== containerID;
  if (
    baseline.containerID !== undefined &&
    baseline.imageID !== undefined &&
    fresh &&
    imageID !== baseline.imageID &&
    marker.superseded.length === 0 &&
    named
  ) {
    return { state: 'complete', evidence: 'fresh-and-named' };
  }
  if (fresh) return { state: 'settling', why: 'fresh' };
  if (baseline.image === live) return { state: 'settling', why: 'no-op' };
  return observedGeneration(pod) === undefined ? { state: 'waiting-for-kubelet' } : { state: 'stopping' };
};

/**
 * Whether the image in the Pod's spec is what our patch made of it. A webhook may have rewritten it (trusted: the
 * generation is still the one of our patch, or the answer said so), undone it, or somebody edited it later.
 */
const imageTrust = (
  input: CompletionInput,
  marked: MarkedContainer,
  it: { readonly container: string; readonly live: string },
): 'trusted' | 'undone-by-admission' | 'drifted' => {
  const { pod, marker, memory } = input;
  if (marker.phase === 'Marked' || it.live === marked.to) return 'trusted';
  const answered = memory.answers.get(uidOf(pod))?.[it.container];
  const generation = pod.metadata.generation;
  const ours =
    answered === it.live ||
    (answered === undefined &&
      generation !== undefined &&
      marker.generation !== undefined &&
      generation <= marker.generation);
  if (!ours) return 'drifted';
  return it.live === marked.from ? 'undone-by-admission' : 'trusted';
};

/** Undefined where the container runs and is ready; otherwise what it is doing. */
const notRunning = (
  pod: Pod,
  status: ContainerStatus | undefined,
  it: { readonly marked: MarkedContainer; readonly stale: boolean },
): ContainerProgress | undefined => {
  if (it.stale) return { state: 'waiting-for-kubelet' };
  const waiting = status?.state?.waiting;
  if (waiting !== undefined) {
    const problem = waiting.message === undefined ? waiting.reason : `${waiting.reason}: ${waiting.message}`;
    if (pullTroubles.has(waiting.reason ?? '')) return { state: 'pulling', problem };
    if (waiting.reason === 'CrashLoopBackOff')
      return { state: 'starting', restarts: status?.restartCount ?? 0, problem };
    return { state: 'pulling' };
  }
  if (status?.state?.running === undefined) {
    const ended = status?.state?.terminated;
    const problem = ended === undefined ? undefined : `exited with ${ended.exitCode} (${ended.reason ?? 'no reason'})`;
    return { state: 'starting', restarts: status?.restartCount ?? 0, problem };
  }
  if (!status.containerID || !status.imageID) return { state: 'starting', restarts: status.restartCount };
  const isReady = status.ready && status.started !== false && readyCondition(pod) === 'True';
  if (isReady) return undefined;
  return it.marked.baseline.containerID === status.containerID && it.marked.baseline.image !== it.marked.to
    ? { state: 'stopping' }
    : { state: 'starting', restarts: status.restartCount };
};

/** Waiting reasons of the kubelet that mean trouble with the image itself. */
const pullTroubles: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

/** The status is older than our patch. Clusters that report no observedGeneration cannot say so. */
const isStale = (pod: Pod, marker: Marker): boolean => {
  const expected = expectedGeneration(pod, marker);
  const observed = observedGeneration(pod);
  return expected !== undefined && observed !== undefined && observed < expected;
};

/** G of the rule: never more than the Pod has, since admission may have undone our change (no new generation then). */
const expectedGeneration = (pod: Pod, marker: Marker): number | undefined =>
  marker.generation === undefined || pod.metadata.generation === undefined
    ? undefined
    : Math.min(marker.generation, pod.metadata.generation);

const observedGeneration = (pod: Pod): number | undefined => pod.status?.observedGeneration || undefined;

const readyCondition = (pod: Pod): string | undefined =>
  pod.status?.conditions?.find((condition) => condition.type === 'Ready')?.status;

const isSound = (pod: Pod): boolean =>
  !isTerminating(pod) && pod.status?.phase === 'Running' && readyCondition(pod) === 'True';

/**
 * How long the present combination must still stand before a fresh or untouched container counts. The kubelet
 * publishes a status only at the start of a sync; kills (one container after the other) and pulls follow inside that
 * sync, and a dead container without a readiness probe stays Ready for all of it (kubernetes#91667).
 */
const settleLeftMs = (input: CompletionInput, sighting: PodSighting | undefined): number => {
  const waitMs = settleMs(input.pod, input.marker, input.deadlineMs);
  if (sighting === undefined) return waitMs;
  let stoodMs = input.time.monotonic - sighting.since;
  if (observedGeneration(input.pod) === undefined || expectedGeneration(input.pod, input.marker) === undefined) {
    const patchedAt = Date.parse(input.marker.patchedAt ?? input.marker.startedAt);
    stoodMs = Math.min(stoodMs, input.time.wall - patchedAt);
  }
  return Math.max(0, Math.ceil(waitMs - stoodMs));
};

/** W of the rule, milliseconds. Longer where the status does not name the image, or no generation is reported. */
export const settleMs = (pod: Pod, marker: Marker, deadlineMs: number): number => {
  const graceMs = Math.max(pod.spec.terminationGracePeriodSeconds ?? 30, 2) * 1000;
  const sidecars = (pod.spec.initContainers ?? []).filter((container) => container.restartPolicy === 'Always');
  const shortMs = (pod.spec.containers.length + sidecars.length) * graceMs + 10_000;
  const reportsGeneration = observedGeneration(pod) !== undefined && expectedGeneration(pod, marker) !== undefined;
  const allNamed = Object.keys(marker.containers).every((name) => isNamed(pod, name));
  return reportsGeneration && allNamed ? shortMs : Math.max(shortMs, deadlineMs, 600_000);
};

const isNamed = (pod: Pod, name: string): boolean => {
  const status = pod.status?.containerStatuses?.find((entry) => entry.name === name);
  const container: Container | undefined = pod.spec.containers.find((entry) => entry.name === name);
  return namesSameImage(status?.image ?? '', status?.imageID ?? '', container?.image ?? '');
};

/** A watch that hangs settles nothing: one read past the cache, at the end of the wait, must show the same version. */
const wasReadUnchanged = (input: CompletionInput, sighting: PodSighting | undefined): boolean => {
  const read = input.memory.reads.get(uidOf(input.pod));
  if (read === undefined || sighting === undefined) return false;
  const waitMs = settleMs(input.pod, input.marker, input.deadlineMs);
  return read.resourceVersion === resourceVersionOf(input.pod) && read.at >= sighting.since + waitMs;
};
