import type { ModelServing, ModelServingStatus } from '../api/index.ts';
import type { ControllerRevision, KubeObject, ObjectRef, Pod, Service } from '../objects/index.ts';
import type { PluginRegistry } from '../plugins/index.ts';
import type { PodGroupsView } from './gang/pod-group.ts';

/** What exists in the cluster for one ModelServing, as far as the caches know. */
export interface Children {
  /** Pods in its namespace that it controls by owner UID or that carry its name label, whoever owns them. */
  readonly pods: readonly Pod[];
  readonly services: readonly Service[];
  readonly controllerRevisions: readonly ControllerRevision[];
  /** Absent: the cluster does not know PodGroups. */
  readonly podGroups?: PodGroupsView | undefined;
}

/** The two clocks: deadlines and graces are judged on the wall clock, settling on the monotonic one. Milliseconds. */
export interface Time {
  readonly wall: number;
  readonly monotonic: number;
}

/** What this process saw of one Pod's status. Made by `seePod`, one call for every event of the watch. */
export interface PodSighting {
  /** Per container: the first containerID seen with each observedGeneration ('' where the container was absent). */
  readonly first: Readonly<Record<string, readonly FirstSeen[]>>;
  /** containerIDs of all containers, Ready and observedGeneration of the latest status, as one comparable string. */
  readonly combination: string;
  /** Since when (monotonic milliseconds) the combination has stood unchanged. */
  readonly since: number;
}

export interface FirstSeen {
  readonly observedGeneration: number;
  readonly containerID: string;
}

/** A write that the API server refused (403, 422) and may refuse again. */
export interface Refusal {
  readonly message: string;
  /** How often in a row; the back-off is min(60 s, 1 s x 2^(count - 1)). */
  readonly count: number;
  /** Monotonic milliseconds of the latest refusal. */
  readonly at: number;
}

/**
 * What this process has seen and no object says. Bounded; an empty memory leads to the same end state, only later.
 * The operator folds it in: sightings from watch events, the rest from the answers to its own requests.
 */
export interface Memory {
  /** By Pod UID. */
  readonly sightings: ReadonlyMap<string, PodSighting>;
  /** By the key of the refused effect (`Effect.key`). */
  readonly refusals: ReadonlyMap<string, Refusal>;
  /** By Pod UID: the container images in the answer to this process's latest own image patch. */
  readonly answers: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** By Pod UID: the latest direct read of the Pod (not from the cache). `resourceVersion` is undefined for a 404. */
  readonly reads: ReadonlyMap<string, { readonly resourceVersion: string | undefined; readonly at: number }>;
  /** Role instance phases of the previous decision; undefined before the first. By `group/role-id`. */
  readonly phases: ReadonlyMap<string, RoleInstancePhase> | undefined;
  /** Names of events already sent or answered AlreadyExists. */
  readonly eventsSent: ReadonlySet<string>;
  /** The answer to a status write lacked `units` or `failures`: the installed CRD is older and prunes them. */
  readonly statusPruned: boolean;
}

export type RoleInstancePhase = 'Creating' | 'Running' | 'Deleting';

/** One write (or read) that the decision asks for. `key` is stable for the same intent across decisions. */
export type Effect =
  | {
      readonly kind: 'create';
      readonly key: string;
      readonly resource: ChildResource;
      readonly object: KubeObject;
      readonly why: string;
    }
  | {
      readonly kind: 'patch';
      readonly key: string;
      readonly resource: ChildResource;
      readonly ref: ObjectRef;
      readonly uid: string;
      /** Strategic merge for Pods, JSON merge for everything else. The body carries the resourceVersion. */
      readonly type: 'strategic' | 'merge';
      readonly body: unknown;
      readonly why: string;
    }
  | {
      readonly kind: 'delete';
      readonly key: string;
      readonly resource: ChildResource;
      readonly ref: ObjectRef;
      readonly uid: string;
      /** Set where the Pod's health is the reason. */
      readonly resourceVersion?: string | undefined;
      readonly why: string;
    }
  | {
      /** A GET past the cache; its answer goes into `memory.reads` and the cache, and the key is decided again. */
      readonly kind: 'read';
      readonly key: string;
      readonly resource: 'pods';
      readonly ref: ObjectRef;
      readonly uid: string;
      readonly why: string;
    };

export type ChildResource = 'pods' | 'services' | 'controllerrevisions' | 'podgroups';

/** An event on the ModelServing. The name is deterministic, so an event sent twice exists once. */
export interface EventIntent {
  readonly name: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Why something does not move, and what would move it. */
export interface Wait {
  /** `group 3`, `group 3 decode-0`, or empty for the whole ModelServing. */
  readonly unit: string;
  readonly reason: string;
  readonly message: string;
}

export interface DecideInput {
  readonly modelServing: ModelServing;
  readonly children: Children;
  readonly time: Time;
  readonly memory: Memory;
  /** What `spec.plugins` may name. Default: the built-in ones. */
  readonly plugins?: PluginRegistry | undefined;
}

export interface Decision {
  /**
   * Stages in order: effects of one stage do not depend on each other; the next stage runs only if none of the
   * previous one failed (a refused patch or delete does not count, as nothing builds on those).
   */
  readonly effects: readonly (readonly Effect[])[];
  /** The whole status as it should be; undefined where the live one is right. */
  readonly status: ModelServingStatus | undefined;
  /**
   * The status carries a milestone that protects an effect: it is written first, and a conflict drops the rest of the
   * decision. Without one it may wait up to 200 ms, so that a burst is one write.
   */
  readonly milestone: boolean;
  /** Sent before the effects; a failed one blocks nothing. */
  readonly events: readonly EventIntent[];
  readonly waits: readonly Wait[];
  /** Decide again after this many milliseconds at the latest, though nothing changes. */
  readonly wakeAfterMs: number | undefined;
  /** For `memory.phases` of the next decision. */
  readonly phases: ReadonlyMap<string, RoleInstancePhase>;
}
