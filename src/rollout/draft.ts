import type { KubeObject, ObjectRef, Service } from '../objects/index.ts';
import { nameOf, refOf, resourceVersionOf, uidOf } from '../objects/index.ts';
import type { PodView } from './observe/pod-view.ts';
import type { ChildResource, Effect, EventIntent, Wait } from './types.ts';

/** What the steps of a decision add to; the only thing in it that changes. */
export interface Draft {
  create(resource: ChildResource, object: KubeObject, why: string): void;
  patchPod(pod: PodView, patch: { readonly key: string; readonly body: unknown; readonly why: string }): void;
  /** `health`: the Pod's present state is the reason, so the delete holds only for exactly that state. */
  deletePod(pod: PodView, why: string, options?: { readonly health?: boolean }): void;
  deleteService(service: Service, why: string): void;
  deleteRevision(revision: KubeObject, why: string): void;
  /** A JSON merge patch: a strategic one would encode the data again, and be refused. `last`: after all others. */
  patchRevision(
    revision: KubeObject,
    patch: { readonly key: string; readonly body: unknown; readonly last: boolean; readonly why: string },
  ): void;
  /** A JSON merge patch, held to the resourceVersion it was decided on. */
  patchService(service: Service, body: unknown, why: string): void;
  /** The same. */
  patchPodGroup(podGroup: KubeObject, body: unknown, why: string): void;
  deletePodGroup(podGroup: KubeObject, why: string): void;
  readPod(pod: PodView, why: string): void;
  event(event: EventIntent): void;
  wait(wait: Wait): void;
  wakeIn(delayMs: number): void;
  /** The status protects an effect of this decision and must be written before it. */
  milestone(): void;
  readonly isMilestone: boolean;
  /** Whether a Pod is patched or deleted by this decision already. */
  touches(pod: PodView): boolean;
  /** In stages: revisions, then what is independent, then Pods, which need their Service. */
  effects(): readonly (readonly Effect[])[];
  readonly events: readonly EventIntent[];
  readonly waits: readonly Wait[];
  readonly wakeAfterMs: number | undefined;
}

type Stage = 'revisions' | 'independent' | 'pods' | 'clean-up';

const stages: readonly Stage[] = ['revisions', 'independent', 'pods', 'clean-up'];

export const startDraft = (): Draft => {
  const byStage: Record<Stage, Effect[]> = { revisions: [], independent: [], pods: [], 'clean-up': [] };
  const touched = new Set<string>();
  const events: EventIntent[] = [];
  const waits: Wait[] = [];
  let wakeAfterMs: number | undefined;
  let isMilestone = false;
  const remove = (stage: Stage, resource: ChildResource, object: KubeObject, why: string): void => {
    const key = `delete/${uidOf(object)}`;
    byStage[stage].push({ kind: 'delete', key, resource, ref: refOf(object), uid: uidOf(object), why });
  };
  return {
    create: (resource, object, why) => {
      const key = `create/${resource}/${nameOf(object)}`;
      byStage[stageOf(resource)].push({ kind: 'create', key, resource, object, why });
    },
    patchPod: (pod, { key, body, why }) => {
      touched.add(pod.uid);
      byStage.independent.push({
        kind: 'patch',
        key,
        resource: 'pods',
        ref: podRef(pod),
        uid: pod.uid,
        type: 'strategic',
        body,
        why,
      });
    },
    deletePod: (pod, why, options) => {
      if (pod.terminating || touched.has(pod.uid)) return;
      touched.add(pod.uid);
      byStage.independent.push({
        kind: 'delete',
        key: `delete/${pod.uid}`,
        resource: 'pods',
        ref: podRef(pod),
        uid: pod.uid,
        resourceVersion: options?.health === true ? resourceVersionOf(pod.pod) : undefined,
        why,
      });
    },
    deleteService: (service, why) => {
      if (service.metadata.deletionTimestamp === undefined) remove('independent', 'services', service, why);
    },
    deleteRevision: (revision, why) => remove('clean-up', 'controllerrevisions', revision, why),
    patchRevision: (revision, { key, body, last, why }) => {
      byStage[last ? 'clean-up' : 'independent'].push({
        kind: 'patch',
        key,
        resource: 'controllerrevisions',
        ref: refOf(revision),
        uid: uidOf(revision),
        type: 'merge',
        body,
        why,
      });
    },
    patchService: (service, body, why) => {
      byStage.independent.push({
        kind: 'patch',
        key: `update/service/${uidOf(service)}`,
        resource: 'services',
        ref: refOf(service),
        uid: uidOf(service),
        type: 'merge',
        body,
        why,
      });
    },
    patchPodGroup: (podGroup, body, why) => {
      byStage.independent.push({
        kind: 'patch',
        key: `update/podgroup/${uidOf(podGroup)}`,
        resource: 'podgroups',
        ref: refOf(podGroup),
        uid: uidOf(podGroup),
        type: 'merge',
        body,
        why,
      });
    },
    deletePodGroup: (podGroup, why) => {
      if (podGroup.metadata.deletionTimestamp === undefined) remove('clean-up', 'podgroups', podGroup, why);
    },
    readPod: (pod, why) => {
      byStage.independent.push({
        kind: 'read',
        key: `read/${pod.uid}`,
        resource: 'pods',
        ref: podRef(pod),
        uid: pod.uid,
        why,
      });
    },
    event: (event) => {
      events.push(event);
    },
    wait: (wait) => {
      waits.push(wait);
    },
    wakeIn: (delayMs) => {
      wakeAfterMs = Math.max(0, Math.min(wakeAfterMs ?? delayMs, delayMs));
    },
    milestone: () => {
      isMilestone = true;
    },
    get isMilestone() {
      return isMilestone;
    },
    touches: (pod) => touched.has(pod.uid),
    effects: () => stages.map((stage) => byStage[stage]).filter((effects) => effects.length > 0),
    events,
    waits,
    get wakeAfterMs() {
      return wakeAfterMs;
    },
  };
};

const stageOf = (resource: ChildResource): Stage => {
  switch (resource) {
    case 'controllerrevisions':
      return 'revisions';
    case 'services':
    case 'podgroups':
      return 'independent';
    case 'pods':
      return 'pods';
  }
};

const podRef = (pod: PodView): ObjectRef => refOf(pod.pod);
