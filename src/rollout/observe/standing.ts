import { type PodIdentity, podName, type Role } from '../../api/index.ts';
import type { InstanceView } from './fleet.ts';
import type { Keyed } from './instance-key.ts';
import type { PodView } from './pod-view.ts';

/** A Pod that a unit should have. */
export interface RequiredPod extends PodIdentity, Keyed {
  readonly name: string;
  /** The Role as the unit's revision describes it. */
  readonly template: Role;
  /** The Pod of that name, in whatever state. */
  readonly view: PodView | undefined;
}

/** A role instance held against what the revision of its unit asks for. */
export interface Standing {
  readonly instance: InstanceView;
  /** By index: the entry first. Empty where the revision has no such Role. */
  readonly required: readonly RequiredPod[];
  /** What it lacks. `gone`: a Pod is missing or terminating. `finished`: all are there, but one is Failed or Succeeded. */
  readonly lacks: 'gone' | 'finished' | undefined;
  /** All required Pods exist and are Ready. */
  readonly ready: boolean;
}

export const standingOf = (msName: string, instance: InstanceView, role: Role | undefined): Standing => {
  const required: RequiredPod[] = [];
  let lacks: Standing['lacks'];
  let ready = true;
  const size = role === undefined ? 0 : 1 + role.workerReplicas;
  for (let index = 0; role !== undefined && index < size; index += 1) {
    const pod = requiredPod(msName, instance, { role, index });
    required.push(pod);
    const { view } = pod;
    if (view === undefined || view.terminating) lacks = 'gone';
    else if (view.finished) lacks ??= 'finished';
    ready &&= view?.ready === true;
  }
  return { instance, required, lacks, ready };
};

const requiredPod = (
  msName: string,
  instance: InstanceView,
  { role, index }: { readonly role: Role; readonly index: number },
): RequiredPod => {
  // Mostly all of them exist, and stand in order.
  const view = instance.pods[index]?.index === index ? instance.pods[index] : podAt(instance, index);
  const id = { group: instance.group, role: instance.role, instance: instance.instance, index };
  return {
    group: id.group,
    role: id.role,
    instance: id.instance,
    index,
    instanceKey: instance.instanceKey,
    name: view?.name ?? podName(msName, id),
    template: role,
    view,
  };
};

const podAt = (instance: InstanceView, index: number): PodView | undefined =>
  instance.pods.find((pod) => pod.index === index);
