import { podsPerInstance, type Role } from '../../api/index.ts';
import type { UnitView } from '../observe/assess.ts';
import { type Amounts, podRequests, sumAmounts, timesAmounts } from './pod-requests.ts';

/** What one Role brings into the PodGroup of its ServingGroup. */
export interface RoleDemand {
  readonly role: string;
  /** Pods of one role instance. */
  readonly size: number;
  /** Role instances without which nothing of the group is scheduled. */
  readonly minInstances: number;
  /** Pods of those instances. */
  readonly minPods: number;
  /** What those Pods request. */
  readonly requests: Amounts;
}

export interface DemandInput {
  /** Units of one group. */
  readonly units: readonly UnitView[];
  /** The Roles of the group's own revision, in the order of the spec. */
  readonly roles: Iterable<Role>;
  /** `gangPolicy.minRoleReplicas`; a Role that it does not name needs all its instances. */
  readonly minRoleReplicas: Readonly<Record<string, number>> | undefined;
}

/**
 * The demands of every Role, from the Pods that the group will really have: each role instance by the revision it is
 * made from, as many instances as the plan has. So the minimum never asks for a Pod that nobody makes. Under Role
 * updates instances of one Role may differ in size for a while: then the smaller ones are counted.
 */
export const roleDemands = ({ units, roles, minRoleReplicas }: DemandInput): readonly RoleDemand[] => {
  const made = templatesByInstance(units);
  return [...roles].map((role) => {
    const instances = [...(made.get(role.name) ?? [])].sort((a, b) => podsPerInstance(a) - podsPerInstance(b));
    const named = minRoleReplicas?.[role.name];
    const minInstances = Math.min(instances.length, named === undefined ? instances.length : Math.max(0, named));
    const needed = instances.slice(0, minInstances);
    return {
      role: role.name,
      size: podsPerInstance(instances[0] ?? role),
      minInstances,
      minPods: needed.reduce((pods, it) => pods + podsPerInstance(it), 0),
      requests: sumAmounts(needed.map(instanceRequests)),
    };
  });
};

const instanceRequests = (role: Role): Amounts =>
  sumAmounts([
    podRequests(role.entryTemplate),
    timesAmounts(podRequests(role.workerTemplate), podsPerInstance(role) - 1),
  ]);

/** For each Role the templates that its instances are made from, one entry an instance. */
const templatesByInstance = (units: readonly UnitView[]): ReadonlyMap<string, readonly Role[]> => {
  const byRole = new Map<string, Role[]>();
  for (const { required } of units) {
    for (const { role, index, template } of required) {
      if (index !== 0) continue;
      const templates = byRole.get(role);
      if (templates === undefined) byRole.set(role, [template]);
      else templates.push(template);
    }
  }
  return byRole;
};
