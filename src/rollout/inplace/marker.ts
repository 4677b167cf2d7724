import { inPlaceUpdateStateAnnotation } from '../../api/index.ts';
import type { Pod } from '../../objects/index.ts';
import { nameOf, uidOf } from '../../objects/index.ts';

/**
 * What an in-place update intends for one Pod, written as an annotation in the same patch as the image and the
 * revision labels: one write, so a crash leaves either all of it or nothing.
 */
export interface Marker {
  readonly version: 1;
  readonly ownerUID: string;
  readonly podUID: string;
  /** For people; which unit a Pod belongs to says its name. */
  readonly unit: string;
  /** Revision the Pod ran when the attempt began. */
  readonly source: string;
  readonly target: string;
  /** Targets replaced within this attempt, oldest first: containers of these may still be starting. */
  readonly superseded: readonly string[];
  /** Updates the role instance had completed, plus one. The attempt is open while it is above that count. */
  readonly attempt: number;
  /** `Marked`: the clock runs, the images are not patched yet. `Patched`: labels and images went with the marker. */
  readonly phase: 'Marked' | 'Patched';
  /** RFC 3339 with milliseconds; the same instant on every Pod of the unit and target. The deadline counts from here. */
  readonly startedAt: string;
  readonly patchedAt?: string | undefined;
  /** `metadata.generation` after the latest image patch; absent where the server counts none for Pods. */
  readonly generation?: number | undefined;
  /** By container name, the patched ones only. */
  readonly containers: Readonly<Record<string, MarkedContainer>>;
}

export interface MarkedContainer {
  /** The image in the Pod's spec before the latest patch. */
  readonly from: string;
  readonly to: string;
  /** The container before the first patch of the attempt; kept through retargets. */
  readonly baseline: Baseline;
}

export interface Baseline {
  readonly containerID?: string | undefined;
  readonly imageID?: string | undefined;
  readonly restartCount?: number | undefined;
  /** The image this very container is known to run; absent where nobody can know. */
  readonly image?: string | undefined;
}

export type MarkerReading =
  | { readonly state: 'none' }
  | { readonly state: 'valid'; readonly marker: Marker }
  /** Treated as absent, never as success. */
  | { readonly state: 'invalid'; readonly problem: string };

export const writeMarker = (marker: Marker): string => JSON.stringify(marker);

/** Reads the marker of a Pod. A copy from another Pod or another owner, or anything unparsable, is invalid. */
export const readMarker = (pod: Pod, ownerUID: string): MarkerReading => {
  const text = pod.metadata.annotations?.[inPlaceUpdateStateAnnotation];
  if (text === undefined) return { state: 'none' };
  let marker: unknown;
  try {
    marker = JSON.parse(text);
  } catch (cause) {
    return { state: 'invalid', problem: `the marker of Pod ${nameOf(pod)} is not JSON: ${String(cause)}` };
  }
  if (!isMarker(marker)) return { state: 'invalid', problem: `the marker of Pod ${nameOf(pod)} lacks fields` };
  if (marker.ownerUID !== ownerUID) {
    return { state: 'invalid', problem: `the marker of Pod ${nameOf(pod)} names another owner` };
  }
  if (marker.podUID !== uidOf(pod)) {
    return { state: 'invalid', problem: `the marker of Pod ${nameOf(pod)} was written for another Pod` };
  }
  return { state: 'valid', marker };
};

const isMarker = (value: unknown): value is Marker =>
  isRecord(value) &&
  value['version'] === 1 &&
  ['ownerUID', 'podUID', 'unit', 'source', 'target'].every((field) => typeof value[field] === 'string') &&
  isInstant(value['startedAt']) &&
  (value['patchedAt'] === undefined || isInstant(value['patchedAt'])) &&
  (value['phase'] === 'Marked' || value['phase'] === 'Patched') &&
  Number.isInteger(value['attempt']) &&
  (value['generation'] === undefined || Number.isInteger(value['generation'])) &&
  Array.isArray(value['superseded']) &&
  value['superseded'].every((target) => typeof target === 'string') &&
  isRecord(value['containers']) &&
  Object.values(value['containers']).every(isMarkedContainer);

const isMarkedContainer = (value: unknown): value is MarkedContainer =>
  isRecord(value) &&
  typeof value['from'] === 'string' &&
  typeof value['to'] === 'string' &&
  isRecord(value['baseline']) &&
  ['containerID', 'imageID', 'image'].every((field) => isOptionalString((value['baseline'] as Fields)[field])) &&
  (value['baseline']['restartCount'] === undefined || Number.isInteger(value['baseline']['restartCount']));

type Fields = Record<string, unknown>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOptionalString = (value: unknown): boolean => value === undefined || typeof value === 'string';

const isInstant = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value));
