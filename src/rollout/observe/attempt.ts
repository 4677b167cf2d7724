import type { Marker } from '../inplace/marker.ts';
import type { InstanceView } from './fleet.ts';
import { openMarker, type PodView } from './pod-view.ts';
import type { Records } from './records.ts';

/** An in-place update of a unit that is under way, read off the open markers of its Pods. */
export interface Attempt {
  /** Of the marker started last: a retarget rewrites the markers one by one. */
  readonly target: string;
  /** RFC 3339, the latest among the markers for the target. */
  readonly startedAt: string;
  readonly open: readonly OpenPod[];
}

export interface OpenPod {
  readonly pod: PodView;
  readonly marker: Marker;
}

export const attemptOf = (instances: readonly InstanceView[], records: Records): Attempt | undefined => {
  const open: OpenPod[] = [];
  let latest: Marker | undefined;
  for (const instance of instances) {
    if (instance.latestAttempt === undefined) continue;
    const completed = records.get(instance)?.completed;
    if (completed === undefined || instance.latestAttempt <= completed) continue;
    for (const pod of instance.pods) {
      const marker = pod.terminating ? undefined : openMarker(pod, completed);
      if (marker === undefined) continue;
      open.push({ pod, marker });
      if (latest === undefined || isLater(marker, latest)) latest = marker;
    }
  }
  return latest === undefined ? undefined : { target: latest.target, startedAt: latest.startedAt, open };
};

const isLater = (a: Marker, b: Marker): boolean =>
  Date.parse(a.startedAt) > Date.parse(b.startedAt) || (a.startedAt === b.startedAt && a.target > b.target);
