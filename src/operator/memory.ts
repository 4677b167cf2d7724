import type { ObjectRef, Pod } from '../objects/index.ts';
import { uidOf } from '../objects/index.ts';
import type { Clock } from '../platform/index.ts';
import type { ChildResource, Memory, PodSighting, Refusal, RoleInstancePhase, Wait } from '../rollout/index.ts';
import { createBoundedMap } from './bounded-map.ts';

/** How `seePod` of the rollout folds one status into what was seen before. */
export type SeePod = (previous: PodSighting | undefined, pod: Pod, monotonicMs: number) => PodSighting;

/** An object whose cached view may be older than a write of this process: to be read before the next decision. */
export interface Doubt {
  readonly resource: ChildResource | 'modelservings';
  readonly ref: ObjectRef;
}

/** What is kept for one ModelServing (by UID) between its decisions. Losing it all only costs time. */
export interface OwnerMemory {
  /** As the decision takes it in. */
  view(): Memory;
  /** A refused write; the back-off of its key grows. */
  refuse(effectKey: string, message: string): Refusal;
  accept(effectKey: string): void;
  /** Milliseconds until a refused write may be sent again; 0 where it may be sent now. */
  backOffMs(effectKey: string): number;
  eventSent(name: string): void;
  phases: ReadonlyMap<string, RoleInstancePhase> | undefined;
  readonly doubts: Map<string, Doubt>;
  /** Monotonic milliseconds at which a status without a milestone is written at the latest; undefined: none waits. */
  statusDueAt: number | undefined;
  /** Waits of the latest decision, for logs and metrics. */
  waits: readonly Wait[];
}

/** All memory of the process. */
export interface MemoryStore {
  /** Folds one event of the watch, or one answer to an own write, into the sightings. */
  seePod(pod: Pod): void;
  forgetPod(uid: string): void;
  /** The images in the answer to an own image patch. */
  patchAnswered(podUid: string, images: Readonly<Record<string, string>>): void;
  /** A direct read; `resourceVersion` is undefined where the Pod of this UID does not exist. */
  podRead(podUid: string, resourceVersion: string | undefined): void;
  owner(uid: string): OwnerMemory;
  forgetOwner(uid: string): void;
  /** The installed CRD prunes the milestones: one fact about the cluster, so one for all ModelServings. */
  statusPruned: boolean;
}

/** Refusals older than this were not asked for again: their cause is history. */
const refusalLifeMs = 10 * 60_000;
const longestBackOffMs = 60_000;
const rememberedEvents = 1000;

const backOffOf = (count: number): number => Math.min(longestBackOffMs, 1000 * 2 ** (count - 1));

export const createMemory = (clock: Clock, seePod: SeePod): MemoryStore => {
  const sightings = new Map<string, PodSighting>();
  const answers = new Map<string, Readonly<Record<string, string>>>();
  // Kept when the Pod goes: that a Pod of this UID was not found is the very thing to remember.
  const reads = createBoundedMap<{ readonly resourceVersion: string | undefined; readonly at: number }>(10_000);
  const owners = new Map<string, OwnerMemory>();

  const createOwner = (): OwnerMemory => {
    const refusals = createBoundedMap<Refusal>(1000);
    const eventsSent = new Set<string>();
    const dropOldRefusals = (): void => {
      for (const [key, { at }] of refusals.view) if (clock.monotonic() - at > refusalLifeMs) refusals.delete(key);
    };
    const owner: OwnerMemory = {
      view: () => {
        dropOldRefusals();
        return {
          sightings,
          refusals: refusals.view,
          answers,
          reads: reads.view,
          phases: owner.phases,
          eventsSent,
          statusPruned: store.statusPruned,
        };
      },
      refuse: (key, message) => {
        const refusal = { message, count: (refusals.get(key)?.count ?? 0) + 1, at: clock.monotonic() };
        refusals.set(key, refusal);
        return refusal;
      },
      accept: (key) => refusals.delete(key),
      backOffMs: (key) => {
        const refusal = refusals.get(key);
        return refusal === undefined ? 0 : Math.max(0, refusal.at + backOffOf(refusal.count) - clock.monotonic());
      },
      eventSent: (name) => {
        eventsSent.add(name);
        // The oldest goes: its name is deterministic, so sending it again is answered AlreadyExists.
        for (const oldest of eventsSent) {
          if (eventsSent.size <= rememberedEvents) break;
          eventsSent.delete(oldest);
        }
      },
      phases: undefined,
      doubts: new Map(),
      statusDueAt: undefined,
      waits: [],
    };
    return owner;
  };

  const store: MemoryStore = {
    seePod: (pod) => {
      const uid = uidOf(pod);
      sightings.set(uid, seePod(sightings.get(uid), pod, clock.monotonic()));
    },
    forgetPod: (uid) => {
      sightings.delete(uid);
      answers.delete(uid);
    },
    patchAnswered: (podUid, images) => {
      answers.set(podUid, images);
    },
    podRead: (podUid, resourceVersion) => reads.set(podUid, { resourceVersion, at: clock.monotonic() }),
    owner: (uid) => {
      const known = owners.get(uid);
      if (known !== undefined) return known;
      const created = createOwner();
      owners.set(uid, created);
      return created;
    },
    forgetOwner: (uid) => {
      owners.delete(uid);
    },
    statusPruned: false,
  };
  return store;
};
