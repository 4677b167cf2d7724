import type { ModelServing } from '../../api/index.ts';
import { type ControllerRevision, nameOf, type Pod, type Service, uidOf } from '../../objects/index.ts';
import type { Children } from '../types.ts';
import { type Fleet, type InstanceView, latestAttemptOf, observeFleet } from './fleet.ts';
import type { PodView } from './pod-view.ts';
import { type Owner, readPod } from './read-child.ts';

/**
 * `observeFleet`, with the fleet of an earlier decision where the same Pods and Services are there: as a whole, or with
 * the instances made anew whose Pods have changed. Of thousands of Pods few change from one decision to the next.
 */
export const recallFleet = (modelServing: ModelServing, children: Children): Fleet => {
  const owner: Owner = { name: nameOf(modelServing), uid: uidOf(modelServing) };
  const [key] = children.controllerRevisions;
  const known = key === undefined ? undefined : fleets.get(key);
  const recalled = known === undefined ? undefined : refresh(known, owner, children);
  if (recalled !== undefined && recalled === known?.fleet) return recalled;
  const fleet = recalled ?? observeFleet(owner, children);
  if (key !== undefined) fleets.set(key, { owner, pods: children.pods, services: children.services, fleet });
  return fleet;
};

interface Known {
  readonly owner: Owner;
  readonly pods: readonly Pod[];
  readonly services: readonly Service[];
  readonly fleet: Fleet;
}

/** By the first ControllerRevision, which stays while Pods come and go. */
const fleets = new WeakMap<ControllerRevision, Known>();

/** Undefined where it differs in more than the state of our Pods. */
const refresh = (known: Known, owner: Owner, { pods, services }: Children): Fleet | undefined => {
  if (known.owner.uid !== owner.uid || known.owner.name !== owner.name) return undefined;
  if (pods.length !== known.pods.length || services.length !== known.services.length) return undefined;
  if (!services.every((service, index) => service === known.services[index])) return undefined;
  let instances: Map<string, InstanceView> | undefined;
  for (let index = 0; index < pods.length; index += 1) {
    const [before, now] = [known.pods[index], pods[index]];
    if (before === undefined || now === undefined || before === now) continue;
    const view = readPod(now, owner);
    if (typeof view === 'string' || view.name !== nameOf(before)) return undefined;
    instances ??= new Map(known.fleet.instances);
    const instance = withPod(instances.get(view.instanceKey), view);
    if (instance === undefined) return undefined;
    instances.set(view.instanceKey, instance);
  }
  return instances === undefined ? known.fleet : { ...known.fleet, instances };
};

/** The instance with a newer state of one of its Pods; undefined where that Pod was none of ours before. */
const withPod = (instance: InstanceView | undefined, view: PodView): InstanceView | undefined => {
  if (instance?.pods.some(({ name }) => name === view.name) !== true) return undefined;
  const pods = instance.pods.map((pod) => (pod.name === view.name ? view : pod));
  return { ...instance, pods, latestAttempt: latestAttemptOf(pods) };
};
