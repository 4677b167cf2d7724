import {
  effectiveReplicas,
  effectiveRoleReplicas,
  effectiveRolloutType,
  type ModelServing,
  type RoleInstanceIdentity,
} from '../../api/index.ts';
import { isTerminating, type Pod } from '../../objects/index.ts';
import { readMarker } from '../../rollout/index.ts';
import { isAlive, isReady, revisionOfPod, type Scene, type ScenePod } from './scene.ts';

export const instanceKey = (id: RoleInstanceIdentity): string => `${id.group}/${id.role}-${id.instance}`;

/** What is updated together with this role instance: its group, or under RoleRollingUpdate itself. */
export const unitKey = (modelServing: ModelServing, id: RoleInstanceIdentity): string =>
  effectiveRolloutType(modelServing.spec) === 'RoleRollingUpdate' ? instanceKey(id) : String(id.group);

/** Units that share a budget. */
export const poolKey = (modelServing: ModelServing, id: RoleInstanceIdentity): string =>
  effectiveRolloutType(modelServing.spec) === 'RoleRollingUpdate' ? `${id.group}/${id.role}` : '';

export const unitPods = (scene: Scene, key: string): readonly ScenePod[] => {
  const { modelServing } = scene;
  return modelServing === undefined ? [] : scene.ownPods().filter((pod) => unitKey(modelServing, pod) === key);
};

/** The number of updates an instance had completed; undefined where no record says. */
const completedOf = (scene: Scene, id: RoleInstanceIdentity): number | undefined =>
  scene.records().find((it) => instanceKey(it) === instanceKey(id))?.completed;

/** An update of this Pod is under way: its marker is above what is recorded as completed. */
export const openTarget = (scene: Scene, pod: ScenePod): string | undefined => {
  const reading = readMarker(pod.pod, scene.modelServing?.metadata.uid ?? '');
  if (reading.state !== 'valid') return undefined;
  const completed = completedOf(scene, pod);
  return completed !== undefined && reading.marker.attempt <= completed ? undefined : reading.marker.target;
};

/** Every container really is what the spec says, though it may have ended just now. */
const isItsSpec = (scene: Scene, pod: Pod): boolean =>
  pod.spec.containers.every(({ name, image }) => scene.truth(pod, name)?.image === image);

/** What the spec says really runs in every container. */
export const runsItsSpec = (scene: Scene, pod: Pod): boolean =>
  isItsSpec(scene, pod) && pod.spec.containers.every(({ name }) => scene.truth(pod, name)?.running === true);

const isInService = (scene: Scene, pod: ScenePod): boolean =>
  isAlive(pod) && isReady(pod.pod) && openTarget(scene, pod) === undefined && isItsSpec(scene, pod.pod);

/** Pods that an instance needs, by the revision its Pods carry; undefined where that is not on record. */
const sizeOf = (scene: Scene, pods: readonly ScenePod[]): number | undefined => {
  const [first] = pods;
  if (first === undefined) return undefined;
  const found = scene.roles(revisionOfPod(first.pod))?.find(({ name }) => name === first.role);
  return found === undefined ? undefined : 1 + found.workerReplicas;
};

const isWhole = (scene: Scene, pods: readonly ScenePod[]): boolean =>
  pods.length === sizeOf(scene, pods) && pods.every((pod) => isInService(scene, pod));

export const byInstance = (pods: readonly ScenePod[]): ReadonlyMap<string, readonly ScenePod[]> => {
  const instances = new Map<string, ScenePod[]>();
  for (const pod of pods) {
    const key = instanceKey(pod);
    instances.set(key, [...(instances.get(key) ?? []), pod]);
  }
  return instances;
};

/**
 * Every Pod that the unit should have exists, is Ready, really runs its image, and none is in update. Under group
 * updates as many instances of each Role as the spec wants must be so.
 */
export const isAvailable = (scene: Scene, key: string): boolean => {
  const { modelServing } = scene;
  if (modelServing === undefined) return false;
  const pods = unitPods(scene, key);
  if (pods.length === 0) return false;
  const instances = [...byInstance(pods).values()];
  if (!instances.every((it) => isWhole(scene, it))) return false;
  if (effectiveRolloutType(modelServing.spec) === 'RoleRollingUpdate') return true;
  return modelServing.spec.template.roles.every(
    (role) => instances.filter((it) => it[0]?.role === role.name).length >= effectiveRoleReplicas(role),
  );
};

/** Ordinals of the groups with a Pod that is not on its way out. */
export const liveGroups = (scene: Scene): ReadonlySet<number> =>
  new Set(
    scene
      .ownPods()
      .filter(({ pod }) => !isTerminating(pod))
      .map(({ group }) => group),
  );

/** Ordinals of the instances of a Role in a group with a Pod that is not on its way out. */
export const liveInstances = (scene: Scene, group: number, role: string): ReadonlySet<number> =>
  new Set(
    scene
      .ownPods()
      .filter((it) => it.group === group && it.role === role && !isTerminating(it.pod))
      .map(({ instance }) => instance),
  );

/** The fewest groups and instances of its Role that any version of the spec still in play wants. */
export const isSurplus = (scene: Scene, id: RoleInstanceIdentity): boolean =>
  scene.recent().some(({ spec }) => {
    const role = spec.template.roles.find(({ name }) => name === id.role);
    return (
      liveGroups(scene).size > effectiveReplicas(spec) ||
      role === undefined ||
      known(scene, id).size > effectiveRoleReplicas(role)
    );
  });

/** Instances of the Role that live, or are on record as staying: one that is being made again is both gone and wanted. */
const known = (scene: Scene, { group, role }: RoleInstanceIdentity): ReadonlySet<number> =>
  new Set([
    ...liveInstances(scene, group, role),
    ...scene
      .records()
      .filter((record) => record.group === group && record.role === role && !record.leaving)
      .map(({ instance }) => instance),
  ]);
