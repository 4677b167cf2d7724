import { type ModelServing, parsePodName, type RoleInstanceIdentity } from '../../api/index.ts';
import { controllerOf, nameOf, type Pod, type Service, uidOf } from '../../objects/index.ts';
import type { Children } from '../types.ts';
import { type PodView, viewPod } from './pod-view.ts';

/** What exists of one role instance. */
export interface InstanceView extends RoleInstanceIdentity {
  /** By index: the entry first. */
  readonly pods: readonly PodView[];
  readonly service: Service | undefined;
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

export const instanceKey = (id: RoleInstanceIdentity): string => `${id.group}/${id.role}/${id.instance}`;

/** A child is ours by owner UID; which one it is says its name. */
export const observeFleet = (modelServing: ModelServing, children: Children): Fleet => {
  const ownerUID = uidOf(modelServing);
  const msName = nameOf(modelServing);
  const pods = new Map<string, PodView[]>();
  const services = new Map<string, Service>();
  const ids = new Map<string, RoleInstanceIdentity>();
  const strangers = new Map<string, Pod>();
  const strangeServices = new Map<string, Service>();
  for (const pod of children.pods) {
    const identity = parsePodName(msName, nameOf(pod));
    if (identity === undefined) continue;
    if (controllerOf(pod)?.uid !== ownerUID) {
      strangers.set(nameOf(pod), pod);
      continue;
    }
    const key = instanceKey(identity);
    ids.set(key, identity);
    const siblings = pods.get(key);
    const view = viewPod(pod, identity, ownerUID);
    if (siblings === undefined) pods.set(key, [view]);
    else siblings.push(view);
  }
  for (const service of children.services) {
    // The Service of a role instance has the name of its entry Pod.
    const identity = parsePodName(msName, nameOf(service));
    if (identity === undefined || identity.index !== 0) continue;
    if (controllerOf(service)?.uid !== ownerUID) {
      strangeServices.set(nameOf(service), service);
      continue;
    }
    ids.set(instanceKey(identity), identity);
    services.set(instanceKey(identity), service);
  }
  const instances = new Map<string, InstanceView>();
  for (const [key, { group, role, instance }] of ids) {
    const own = (pods.get(key) ?? []).sort((a, b) => a.index - b.index);
    instances.set(key, { group, role, instance, pods: own, service: services.get(key) });
  }
  return { instances, strangers, strangeServices };
};
