import { namesSameImage, type Pod } from '../../objects/index.ts';
import { type CompletionInput, type PodProgress, podProgress } from '../inplace/completion.ts';
import { imagesOf, liveImage } from '../inplace/pod-patch.ts';
import { isUnmakeable } from '../plan/unmakeable.ts';
import type { Memory, Time } from '../types.ts';
import { type Attempt, attemptOf } from './attempt.ts';
import type { Catalog } from './catalog.ts';
import type { InstanceView } from './fleet.ts';
import type { PluginChains } from './plugin-chains.ts';
import { isAlive, type PodView } from './pod-view.ts';
import type { Records } from './records.ts';
import { poolOf, type Settings } from './settings.ts';
import { type RequiredPod, type Standing, standingOf } from './standing.ts';
import { isUnitOf } from './unit-failure.ts';
import { labelledRevision, type Unit } from './units.ts';

export type { RequiredPod };

/** What stands against a Pod counting as done with its unit's revision. */
export type PodVerdict =
  | { readonly state: 'complete' }
  | { readonly state: 'updating'; readonly progress: PodProgress }
  | { readonly state: 'not-ready' }
  | { readonly state: 'other-revision' }
  /** Labelled with the revision, but nothing shows that it was made or updated for it. */
  | { readonly state: 'unproved'; readonly problem: string }
  /** An image that its closed marker set was edited since. */
  | { readonly state: 'drifted'; readonly container: string };

/** A role instance that was once whole and is not any more. */
export interface LostInstance {
  readonly instance: InstanceView;
  readonly cause: NonNullable<Standing['lacks']>;
}

/** A unit with everything the steps ask of it, computed once per decision. */
export interface UnitView extends Unit {
  /** Existing Pods of its instances. */
  readonly pods: readonly PodView[];
  /** Its own revision: the target while it is in update. Undefined where no Pod of it exists. */
  readonly revision: string | undefined;
  /** The revision that its missing Pods are made from. */
  readonly recipe: string;
  /** The partition keeps it at its revision. It does not keep a unit in update, nor one that failed. */
  readonly kept: boolean;
  /** Set while it is in update. */
  readonly attempt: Attempt | undefined;
  /** Its role instances, in order, against what the recipe asks of each. */
  readonly standings: readonly Standing[];
  /** The Pods of all of them. */
  readonly required: readonly RequiredPod[];
  readonly verdicts: ReadonlyMap<string, PodVerdict>;
  /** Instances recorded as once whole that miss a Pod now, or have one terminating or finished. */
  readonly lost: readonly LostInstance[];
  /** Instances whose Pods all exist, marked, with no record: the record was lost, and is rebuilt. */
  readonly unrecorded: readonly InstanceView[];
  /** Some Pod was made for another revision than the target, or is labelled with it and was tampered with. */
  readonly outdated: boolean;
  /** Every Pod carries the target's label. */
  readonly labelled: boolean;
  /** Every instance has a record. */
  readonly recorded: boolean;
  /** Every required Pod exists, is alive and Ready. */
  readonly ready: boolean;
  /** Every required Pod is complete for the unit's revision. */
  readonly complete: boolean;
}

export interface AssessInput {
  readonly catalog: Catalog;
  readonly plugins: PluginChains;
  readonly records: Records;
  readonly memory: Memory;
  readonly time: Time;
  readonly msName: string;
  /** `status.currentRevision`, or what it is about to become. */
  readonly currentRevision: string;

  readonly settings: Settings;
}

export const assessUnit = (unit: Unit, input: AssessInput): UnitView => {
  const { catalog, records } = input;
  const attempt = attemptOf(unit.instances, records);
  const revision = attempt?.target ?? labelledRevision(unit.instances);
  const pods = unit.instances.flatMap((instance) => instance.pods);
  const failed = records.failures().some((failure) => isUnitOf(failure, unit));
  const kept = attempt === undefined && !failed && unit.rank < poolOf(input.settings, unit).partition;
  const recipe = revision ?? rebuildRevision(unit, { ...input, kept });
  const roles = catalog.roles(recipe) ?? catalog.roles(catalog.target);
  const standings = unit.instances.map((instance) => standingOf(input.msName, instance, roles?.get(instance.role)));
  const required = standings.flatMap((standing) => standing.required);
  const verdicts = new Map<string, PodVerdict>();
  if (revision !== undefined) {
    for (const pod of pods) verdicts.set(pod.uid, judgePod(pod, { revision, attempt }, input));
  }
  const outdated = pods.some(
    (pod) => isAlive(pod) && isOutdated(catalog, { pod, unit, verdict: verdicts.get(pod.uid) }),
  );
  const present = standings.every(({ lacks }) => lacks === undefined);
  // Spelled out: a spread into so large an object costs V8 hundreds of times as much.
  return {
    key: unit.key,
    title: unit.title,
    group: unit.group,
    roleInstance: unit.roleInstance,
    pool: unit.pool,
    rank: unit.rank,
    instances: unit.instances,
    pods,
    revision,
    recipe,
    kept,
    attempt,
    standings,
    required,
    verdicts,
    outdated,
    lost: standings.flatMap(({ instance, lacks }) =>
      lacks === undefined || records.get(instance) === undefined ? [] : [{ instance, cause: lacks }],
    ),
    unrecorded: standings
      .filter(({ instance, lacks }) => lacks === undefined && records.get(instance) === undefined)
      .map(({ instance }) => instance),
    labelled: pods.every((pod) => pod.revision === catalog.target),
    recorded: unit.instances.every((instance) => records.get(instance) !== undefined),
    ready: present && standings.every(({ ready }) => ready),
    complete:
      present && required.every(({ view }) => view !== undefined && verdicts.get(view.uid)?.state === 'complete'),
  };
};

/**
 * What a unit without any Pod is made from: the newest revision, unless it is kept, the rollout is paused, or another
 * unit has failed on the newest (healthy capacity is never fed to a bad image), or its plugins cannot be used. What is
 * not on record any more cannot be made, so then the newest is better than nothing.
 */
const rebuildRevision = (unit: Unit, input: AssessInput & { readonly kept: boolean }): string => {
  const { catalog, records } = input;
  const othersFailed = records
    .failures()
    .some((failure) => failure.revision === catalog.target && !isUnitOf(failure, unit));
  const staysBack = input.kept || input.settings.paused || othersFailed || isUnmakeable(input, catalog.target);
  return staysBack && catalog.roles(input.currentRevision) !== undefined ? input.currentRevision : catalog.target;
};

interface Dating {
  readonly pod: PodView;
  readonly unit: Unit;
  readonly verdict: PodVerdict | undefined;
}

const isOutdated = (catalog: Catalog, { pod, unit, verdict }: Dating): boolean =>
  pod.revision === undefined ||
  !isAtTarget(catalog, unit, pod.revision) ||
  verdict?.state === 'unproved' ||
  verdict?.state === 'drifted';

const isAtTarget = (catalog: Catalog, unit: Unit, revision: string): boolean =>
  unit.roleInstance === undefined
    ? catalog.same(revision, catalog.target)
    : catalog.sameRole(revision, catalog.target, unit.roleInstance.role);

interface Aim {
  readonly revision: string;
  readonly attempt: Attempt | undefined;
}

const complete: PodVerdict = { state: 'complete' };

/** Whether one Pod is done with a revision; the rule for marked Pods is `podProgress`. */
const judgePod = (pod: PodView, { revision, attempt }: Aim, input: AssessInput): PodVerdict => {
  const { catalog, memory, time } = input;
  const { deadlineMs } = input.settings;
  const open = attempt?.open.find((it) => it.pod.uid === pod.uid);
  if (open !== undefined) {
    const completion: CompletionInput = { pod: pod.pod, marker: open.marker, memory, time, deadlineMs };
    const progress = podProgress(completion);
    const onTarget = pod.revision === revision && open.marker.target === revision;
    return onTarget && progress.complete ? complete : { state: 'updating', progress };
  }
  if (pod.revision === undefined || !catalog.same(pod.revision, revision)) return { state: 'other-revision' };
  if (pod.marker.state === 'valid') {
    const drifted = driftedContainer(pod, memory);
    if (drifted !== undefined) return { state: 'drifted', container: drifted };
  } else if (!wasMadeFor(pod, revision, catalog)) {
    const problem = pod.marker.state === 'invalid' ? pod.marker.problem : 'no marker shows how it came to its revision';
    return { state: 'unproved', problem };
  }
  return pod.ready ? complete : { state: 'not-ready' };
};

/**
 * A Pod without a marker is what it was created as. One that another controller made, or from a revision that is gone,
 * does not say as what: then it is what its label says, unless it got its images later and does not run them yet (somebody took its marker away). Images
 * that no update of ours set are nobody's business but their editor's, until the next update.
 */
const wasMadeFor = (pod: PodView, revision: string, catalog: Catalog): boolean => {
  const { createdRevision } = pod;
  if (createdRevision === revision) return true;
  if (createdRevision !== undefined && catalog.roles(createdRevision) !== undefined) {
    return catalog.same(createdRevision, revision);
  }
  if ((pod.pod.metadata.generation ?? 0) <= 1) return true;
  const role = catalog.roles(revision)?.get(pod.role);
  const images = role === undefined ? [] : [...imagesOf(role, pod.index)];
  return images.some(([name, image]) => liveImage(pod.pod, name) !== image) || runsImages(pod.pod, images);
};

/** The kubelet has taken the spec in, and names the images that are asked for. */
const runsImages = ({ metadata, status }: Pod, images: readonly (readonly [string, string])[]): boolean =>
  (status?.observedGeneration ?? metadata.generation ?? 0) >= (metadata.generation ?? 0) &&
  images.every(([name, image]) => {
    const running = status?.containerStatuses?.find((container) => container.name === name);
    return running !== undefined && namesSameImage(running.image, running.imageID, image);
  });

/** The first container whose image is no longer what its (closed) update made it, and not by admission. */
const driftedContainer = (pod: PodView, memory: Memory): string | undefined =>
  pod.edited.find(({ name, live }) => memory.answers.get(pod.uid)?.[name] !== live)?.name;
