import { createdRevisionAnnotation, type PodIdentity, revisionLabel } from '../../api/index.ts';
import { isTerminating, nameOf, type Pod, uidOf } from '../../objects/index.ts';
import { type Marker, type MarkerReading, readMarker } from '../inplace/marker.ts';
import { instanceKey, type Keyed } from './instance-key.ts';

/** One of our Pods. */
export interface PodView extends PodIdentity, Keyed {
  readonly pod: Pod;
  readonly name: string;
  readonly uid: string;
  /** The revision label; undefined where it was removed by hand. */
  readonly revision: string | undefined;
  readonly createdRevision: string | undefined;
  readonly marker: MarkerReading;
  /** Images that a marker set and that someone changed since: edited by hand, or rewritten by admission. */
  readonly edited: readonly EditedContainer[];
  readonly ready: boolean;
  readonly terminating: boolean;
  /** Phase Failed or Succeeded: none of its containers ever runs again. */
  readonly finished: boolean;
}

export interface EditedContainer {
  readonly name: string;
  /** The image in the Pod's spec. */
  readonly live: string;
}

export const viewPod = (pod: Pod, identity: PodIdentity, ownerUID: string): PodView => {
  const marker = readMarker(pod, ownerUID);
  // Spelled out: a spread into so large an object costs V8 hundreds of times as much.
  return {
    group: identity.group,
    role: identity.role,
    instance: identity.instance,
    index: identity.index,
    instanceKey: instanceKey(identity),
    pod,
    name: nameOf(pod),
    uid: uidOf(pod),
    revision: pod.metadata.labels?.[revisionLabel],
    createdRevision: pod.metadata.annotations?.[createdRevisionAnnotation],
    marker,
    edited: marker.state === 'valid' ? editedContainers(pod, marker.marker) : [],
    ready: isReady(pod),
    terminating: isTerminating(pod),
    finished: pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded',
  };
};

/** A change of the image that came after the marker's own patch has a higher generation, where Pods have one. */
const editedContainers = (pod: Pod, marker: Marker): readonly EditedContainer[] => {
  const { generation } = pod.metadata;
  const isLater = generation === undefined || marker.generation === undefined || generation > marker.generation;
  if (marker.phase === 'Marked' || !isLater) return [];
  return Object.entries(marker.containers).flatMap(([name, { to }]) => {
    const live = pod.spec.containers.find((container) => container.name === name)?.image;
    return live === undefined || live === to ? [] : [{ name, live }];
  });
};

/** Running and Ready by the kubelet's own condition, and not on its way out. */
const isReady = (pod: Pod): boolean =>
  !isTerminating(pod) &&
  pod.status?.phase === 'Running' &&
  pod.status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true;

/** Exists and may still serve: neither on its way out nor finished. */
export const isAlive = (pod: PodView): boolean => !pod.terminating && !pod.finished;

/** The marker, if it is valid and its attempt is still open for an instance that has completed this many updates. */
export const openMarker = (pod: PodView, completed: number | undefined): Marker | undefined =>
  pod.marker.state === 'valid' && completed !== undefined && pod.marker.marker.attempt > completed
    ? pod.marker.marker
    : undefined;
