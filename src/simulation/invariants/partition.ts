import { effectivePartition, effectiveReplicas, effectiveRoleReplicas, type ModelServing } from '../../api/index.ts';
import { isTerminating } from '../../objects/index.ts';
import { takenForUpdate } from './budget.ts';
import type { Invariant } from './invariant.ts';
import { revisionOfPod, type Scene, type ScenePod } from './scene.ts';
import { isAvailable, isSurplus, liveGroups, liveInstances, openTarget, poolKey, unitKey } from './units.ts';

/** Protected by this version of the spec; only told where no unit comes or goes, so that ranks are plain. */
const isProtectedBy = (modelServing: ModelServing, scene: Scene, pod: ScenePod): boolean => {
  const { spec } = modelServing;
  const byGroup = poolKey(modelServing, pod) === '';
  const role = spec.template.roles.find(({ name }) => name === pod.role);
  const wanted = byGroup ? effectiveReplicas(spec) : role === undefined ? 0 : effectiveRoleReplicas(role);
  const knobs = byGroup ? spec.rolloutStrategy?.rollingUpdateConfiguration : role;
  const ordinals = [...(byGroup ? liveGroups(scene) : liveInstances(scene, pod.group, pod.role))].sort((a, b) => a - b);
  if (ordinals.length !== wanted) return false;
  return ordinals.indexOf(byGroup ? pod.group : pod.instance) < effectivePartition(knobs, wanted);
};

export const partition: Invariant = {
  id: 'I4',
  rule: 'No Pod of a healthy unit that the partition protects, and that is not in update, is patched with another image or taken down for an update.',
  begin: () => ({
    before: (judged) => {
      const { scene } = judged;
      const { modelServing } = scene;
      const taken = takenForUpdate(judged);
      if (taken === undefined || modelServing === undefined || isSurplus(scene, taken)) return undefined;
      const before = scene.ownPods().find(({ name }) => name === taken.name);
      if (before === undefined || isTerminating(before.pod) || openTarget(scene, before) !== undefined)
        return undefined;
      if (!isAvailable(scene, unitKey(modelServing, taken)) || scene.wasTouched(before.pod)) return undefined;
      if (hasFailed(scene, taken) || !scene.recent().every((it) => isProtectedBy(it, scene, taken))) return undefined;
      return `Pod ${taken.name} of revision ${revisionOfPod(before.pod)} is protected by the partition, and is disturbed`;
    },
  }),
};

const hasFailed = (scene: Scene, { group }: ScenePod): boolean =>
  scene.modelServing?.status?.failures?.some((failure) => failure.group === group) === true;
