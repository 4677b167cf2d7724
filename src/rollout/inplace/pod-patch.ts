import {
  createdRevisionAnnotation,
  inPlaceUpdateStateAnnotation,
  type Role,
  revisionLabel,
  roleTemplateHashLabel,
} from '../../api/index.ts';
import { type Pod, resourceVersionOf } from '../../objects/index.ts';
import type { PodView } from '../observe/pod-view.ts';
import { type Baseline, type MarkedContainer, type Marker, writeMarker } from './marker.ts';

/** The revision a Pod is patched to, as far as this Pod is concerned. */
export interface PatchTarget {
  readonly revision: string;
  readonly roleTemplateHash: string | undefined;
  readonly role: Role;
}

/** What all Pods of the unit share in one attempt at one target. */
export interface PatchAttempt {
  readonly ownerUID: string;
  readonly unit: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly attempt: number;
  /** The deciding moment, wall milliseconds. */
  readonly now: number;
}

export interface PodPatchInput {
  readonly pod: PodView;
  /** The Pod's open marker, if it has one: its baselines and superseded targets live on. */
  readonly open: Marker | undefined;
  /** Images of the Role in the revision the Pod is labelled with; undefined where nobody knows it. */
  readonly source: Role | undefined;
  readonly target: PatchTarget;
  readonly attempt: PatchAttempt;
  /**
   * What is known of the containers that run now: they run what the spec says (the Pod was made or updated for it), it
   * is `uncertain` whether they do, or `nothing` is (the Pod was tampered with), so that not even their IDs count.
   */
  readonly known: 'images' | 'uncertain' | 'nothing';
}

/**
 * The one write of an in-place update: images, revision labels and marker in one strategic merge patch, held to the
 * resourceVersion it was decided on. Containers are addressed by name, so injected ones do not matter.
 */
export const podPatch = (input: PodPatchInput): { readonly marker: Marker; readonly body: unknown } => {
  const { pod, target, attempt } = input;
  const containers = markedContainers(input);
  const images = Object.entries(containers)
    .filter(([name, { to }]) => liveImage(pod.pod, name) !== to)
    .map(([name, { to }]) => ({ name, image: to }));
  const generation = nextGeneration(pod.pod, images.length > 0);
  const marker: Marker = {
    ...markerOf(input),
    phase: 'Patched',
    patchedAt: new Date(attempt.now).toISOString(),
    ...(generation === undefined ? {} : { generation }),
    containers,
  };
  const body = {
    metadata: {
      resourceVersion: resourceVersionOf(pod.pod),
      labels: {
        [revisionLabel]: target.revision,
        ...(target.roleTemplateHash === undefined ? {} : { [roleTemplateHashLabel]: target.roleTemplateHash }),
      },
      annotations: { [inPlaceUpdateStateAnnotation]: writeMarker(marker) },
    },
    ...(images.length > 0 ? { spec: { containers: images } } : {}),
  };
  return { marker, body };
};

/** Only the marker, phase Marked: where the whole patch is refused, it starts the clock and holds the slot. */
export const markPatch = (input: PodPatchInput): unknown =>
  annotate(input.pod, { ...markerOf(input), phase: 'Marked', containers: input.open?.containers ?? {} });

/** What every marker of an attempt says, whichever phase the Pod is in. */
const markerOf = ({ pod, open, target, attempt }: PodPatchInput): Omit<Marker, 'phase' | 'containers'> => ({
  version: 1,
  ownerUID: attempt.ownerUID,
  podUID: pod.uid,
  unit: attempt.unit,
  source: open?.source ?? pod.revision ?? target.revision,
  target: target.revision,
  superseded: supersededBy(open, target.revision),
  attempt: open?.attempt ?? attempt.attempt,
  startedAt: attempt.startedAt,
});

/** A closed marker for the revision the Pod never left: its update is called off before any image was patched. */
export const cancelPatch = (pod: PodView, open: Marker, completed: number): unknown =>
  annotate(pod, { ...open, target: open.source, superseded: [], attempt: completed, phase: 'Patched', containers: {} });

const annotate = (pod: PodView, marker: Marker): unknown => ({
  metadata: {
    resourceVersion: resourceVersionOf(pod.pod),
    annotations: { [inPlaceUpdateStateAnnotation]: writeMarker(marker) },
  },
});

/**
 * Metadata only: the Pod already is what the revision asks for, under another name. Its template hash stays, whoever
 * computed it: it tells which Pods share a template, and that has not changed.
 */
export const relabelPatch = (pod: PodView, revision: string): unknown => ({
  metadata: {
    resourceVersion: resourceVersionOf(pod.pod),
    labels: { [revisionLabel]: revision },
    ...(pod.createdRevision !== undefined && pod.createdRevision === pod.revision
      ? { annotations: { [createdRevisionAnnotation]: revision } }
      : {}),
  },
});

/** The containers that the attempt has to see through: those that change now, and those it carries over. */
const markedContainers = (input: PodPatchInput): Readonly<Record<string, MarkedContainer>> => {
  const { pod, open, source, target, known } = input;
  const wanted = imagesOf(target.role, pod.index);
  const had = source === undefined ? undefined : imagesOf(source, pod.index);
  const out: Record<string, MarkedContainer> = {};
  for (const [name, to] of wanted) {
    const carried = open?.containers[name];
    const changes = had === undefined || had.get(name) !== to;
    if (carried === undefined && !changes && !isDrift(input, name, to)) continue;
    const from = liveImage(pod.pod, name);
    if (from === undefined) continue;
    // Somebody put this very image in before: nothing restarts for our patch, so no container is there to be replaced.
    const isThere = known === 'uncertain' && from === to;
    out[name] = { from, to, baseline: carried?.baseline ?? (isThere ? {} : baselineOf(pod.pod, name, known)) };
  }
  return out;
};

/** A container that a closed marker of this very revision names, edited by hand since. */
const isDrift = ({ pod, open }: PodPatchInput, name: string, to: string): boolean =>
  open === undefined &&
  pod.marker.state === 'valid' &&
  pod.marker.marker.containers[name] !== undefined &&
  liveImage(pod.pod, name) !== to;

const baselineOf = (pod: Pod, name: string, known: PodPatchInput['known']): Baseline => {
  if (known === 'nothing') return {};
  const status = pod.status?.containerStatuses?.find((entry) => entry.name === name);
  const image = liveImage(pod, name);
  return {
    ...(status?.containerID ? { containerID: status.containerID } : {}),
    ...(status?.imageID ? { imageID: status.imageID } : {}),
    ...(status === undefined ? {} : { restartCount: status.restartCount }),
    ...(known === 'images' && status?.containerID && image !== undefined ? { image } : {}),
  };
};

const supersededBy = (open: Marker | undefined, target: string): readonly string[] => {
  if (open === undefined) return [];
  return open.target === target ? open.superseded : [...new Set([...open.superseded, open.target])];
};

/** What `metadata.generation` will be: the API server adds 1 for a changed spec, nothing for metadata (KEP-5067). */
const nextGeneration = (pod: Pod, changesSpec: boolean): number | undefined =>
  pod.metadata.generation === undefined ? undefined : pod.metadata.generation + (changesSpec ? 1 : 0);

/** Images of the regular containers of a Role's entry (index 0) or worker template, by container name. */
export const imagesOf = (role: Role, index: number): ReadonlyMap<string, string> => {
  const template = index === 0 ? role.entryTemplate : role.workerTemplate;
  return new Map((template?.spec?.containers ?? []).map(({ name, image }) => [name, image ?? '']));
};

export const liveImage = (pod: Pod, container: string): string | undefined =>
  pod.spec.containers.find(({ name }) => name === container)?.image;
