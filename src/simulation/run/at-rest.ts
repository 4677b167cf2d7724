import { effectiveReplicas, effectiveRoleReplicas, type ModelServing } from '../../api/index.ts';
import type { Finding, Scene } from '../invariants/index.ts';
import { isAlive, isReady } from '../invariants/scene.ts';
import { byInstance, runsItsSpec } from '../invariants/units.ts';

/**
 * What is missing from what the spec asks for, judged by objects and nodes alone; undefined where nothing is. The
 * status must say so as well.
 */
export const missing = (scene: Scene): Finding => {
  const { modelServing } = scene;
  if (modelServing === undefined) return 'there is no ModelServing';
  const pods = scene.ownPods();
  const { spec, status, metadata } = modelServing;
  const groups = new Set(pods.map(({ group }) => group));
  const replicas = effectiveReplicas(spec);
  if (groups.size !== replicas) return `${groups.size} groups exist, ${replicas} are wanted`;
  for (const group of groups) {
    for (const role of spec.template.roles) {
      const own = pods.filter((pod) => pod.group === group && pod.role === role.name);
      const instances = byInstance(own);
      if (instances.size !== effectiveRoleReplicas(role)) return `group ${group} has ${instances.size} of ${role.name}`;
      for (const [key, members] of instances) {
        if (members.length !== 1 + role.workerReplicas) return `${key} has ${members.length} Pods`;
      }
      for (const pod of own) {
        const template = pod.index === 0 ? role.entryTemplate : role.workerTemplate;
        const image = template?.spec?.containers[0]?.image;
        if (pod.pod.spec.containers[0]?.image !== image) return `Pod ${pod.name} is not on ${image}`;
        if (!isAlive(pod) || !isReady(pod.pod) || !runsItsSpec(scene, pod.pod)) return `Pod ${pod.name} does not serve`;
      }
    }
  }
  if (status?.observedGeneration !== metadata.generation) return 'the status is of another generation';
  return replicas === 0 ? undefined : statusFinding(modelServing, replicas);
};

/** I40: the numbers and conditions of a status that has nothing left to report. */
const statusFinding = ({ status }: ModelServing, replicas: number): Finding => {
  const { availableReplicas, updatedReplicas, currentReplicas, currentRevision, updateRevision } = status ?? {};
  for (const [name, value] of Object.entries({ availableReplicas, updatedReplicas, currentReplicas })) {
    if (value !== replicas) return `${name} is ${value} of ${replicas}`;
  }
  if (status?.replicas !== replicas) return `status.replicas is ${status?.replicas} of ${replicas}`;
  if (currentRevision !== updateRevision) return `currentRevision is still ${currentRevision}`;
  if ((status?.failures ?? []).length > 0) return 'a failure is still on record';
  const available = status?.conditions?.find(({ type }) => type === 'Available');
  return available?.status === 'True' ? undefined : `Available is ${available?.status}: ${available?.message}`;
};
