import type { RoleInstanceIdentity } from '../../api/index.ts';
import { nameOf, type Pod, type Service } from '../../objects/index.ts';
import type { Children } from '../types.ts';
import { instanceKey, type Keyed } from './instance-key.ts';
import type { PodView } from './pod-view.ts';
import { type Owner, readPod, readService } from './read-child.ts';

export { instanceKey };

/** What exists of one role instance. */
export interface InstanceView extends RoleInstanceIdentity, Keyed {
  /** By index: the entry first. */
  readonly pods: readonly PodView[];
  readonly service: Service | undefined;
  /** The highest attempt in a valid marker of a Pod that stays. */
  readonly latestAttempt: number | undefined;
}

/** Everything that exists for one ModelServing, sorted out by name. */
export interface Fleet {
  /** By `instanceKey`; only instances of which a Pod or a Service exists. */
  readonly instances: ReadonlyMap<string, InstanceView>;
  /** Pods that hold a name of ours but belong to someone else, by name. */
  readonly strangers: ReadonlyMap<string, Pod>;
  /** Services that hold a name of ours but belong to someone else, by name. */
  readonly strangeServices: ReadonlyMap<string, Service>;
}

/** A child is ours by owner UID; which one it is says its name. */
export const observeFleet = (owner: Owner, children: Pick<Children, 'pods' | 'services'>): Fleet => {
  const instances = new Map<string, InstanceDraft>();
  const strangers = new Map<string, Pod>();
  const strangeServices = new Map<string, Service>();
  let latest: InstanceDraft | undefined;
  for (const pod of children.pods) {
    const view = readPod(pod, owner);
    if (view === 'unrelated') continue;
    if (view === 'stranger') {
      strangers.set(nameOf(pod), pod);
      continue;
    }
    // Pods are listed by name, so those of one instance mostly follow each other.
    if (latest?.instanceKey !== view.instanceKey) latest = draftOf(instances, view);
    insert(latest, view);
  }
  for (const service of children.services) {
    const view = readService(service, owner);
    if (view === 'unrelated') continue;
    if (view === 'stranger') strangeServices.set(nameOf(service), service);
    else draftOf(instances, view).service = service;
  }
  for (const [key, instance] of instances) {
    instance.latestAttempt = latestAttemptOf(instance.pods);
    const known = recallInstance(instance);
    if (known !== undefined) instances.set(key, known);
  }
  return { instances, strangers, strangeServices };
};

/** By the first Pod: what an earlier decision saw of the instance. */
const earlier = new WeakMap<PodView, InstanceDraft>();

/** The very object that an earlier decision made of the same Pods and Service, so that it is known at sight. */
const recallInstance = (instance: InstanceDraft): InstanceDraft | undefined => {
  const [first] = instance.pods;
  if (first === undefined) return undefined;
  const known = earlier.get(first);
  if (known !== undefined && known.service === instance.service && hasSamePods(known, instance)) return known;
  earlier.set(first, instance);
  return undefined;
};

const hasSamePods = (a: InstanceView, b: InstanceView): boolean =>
  a.pods.length === b.pods.length && a.pods.every((pod, index) => pod === b.pods[index]);

interface InstanceDraft extends InstanceView {
  readonly pods: PodView[];
  service: Service | undefined;
  latestAttempt: number | undefined;
}

const draftOf = (instances: Map<string, InstanceDraft>, id: RoleInstanceIdentity & Keyed): InstanceDraft => {
  const known = instances.get(id.instanceKey);
  if (known !== undefined) return known;
  const { group, role, instance } = id;
  const { instanceKey: key } = id;
  const pods: PodView[] = [];
  const draft: InstanceDraft = {
    group,
    role,
    instance,
    instanceKey: key,
    pods,
    service: undefined,
    latestAttempt: undefined,
  };
  instances.set(key, draft);
  return draft;
};

export const latestAttemptOf = (pods: readonly PodView[]): number | undefined => {
  let latest: number | undefined;
  for (const { marker, terminating } of pods) {
    if (marker.state === 'valid' && !terminating)
      latest = Math.max(latest ?? marker.marker.attempt, marker.marker.attempt);
  }
  return latest;
};

/** Keeps the order by index; mostly Pods come in it, as they are listed by name. */
const insert = ({ pods }: InstanceDraft, pod: PodView): void => {
  let at = pods.length;
  while (at > 0 && (pods[at - 1]?.index ?? -1) > pod.index) at -= 1;
  if (at === pods.length) pods.push(pod);
  else pods.splice(at, 0, pod);
};
