import { createdRevisionAnnotation, type PodIdentity, revisionLabel } from '../../api/index.ts';
import { isTerminating, nameOf, type Pod, uidOf } from '../../objects/index.ts';
import { type Marker, type MarkerReading, readMarker } from '../inplace/marker.ts';

/** One of our Pods, read once per decision. */
export interface PodView extends PodIdentity {
  readonly pod: Pod;
  readonly name: string;
  readonly uid: string;
  /** The revision label; undefined where it was removed by hand. */
  readonly revision: string | undefined;
  readonly createdRevision: string | undefined;
  readonly marker: MarkerReading;
  readonly ready: boolean;
  readonly terminating: boolean;
  /** Phase Failed or Succeeded: none of its containers ever runs again. */
  readonly finished: boolean;
}

export const viewPod = (pod: Pod, identity: PodIdentity, ownerUID: string): PodView => ({
  ...identity,
  pod,
  name: nameOf(pod),
  uid: uidOf(pod),
  revision: pod.metadata.labels?.[revisionLabel],
  createdRevision: pod.metadata.annotations?.[createdRevisionAnnotation],
  marker: readMarker(pod, ownerUID),
  ready: isReady(pod),
  terminating: isTerminating(pod),
  finished: pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded',
});

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
