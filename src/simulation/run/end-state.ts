import type { Scene } from '../invariants/index.ts';
import { revisionOfPod } from '../invariants/scene.ts';

/**
 * What a person would find at the end, as one text: without UIDs, times and versions, and without how often each
 * instance was updated on the way, which depends on what was merged.
 */
export const endStateOf = (scene: Scene): string => {
  const { status } = scene.modelServing ?? {};
  const pods = scene.ownPods().map(({ name, pod }) => {
    const images = pod.spec.containers.map(({ image }) => image).join(' ');
    return `Pod ${name} ${revisionOfPod(pod)} ${images}`;
  });
  const services = [...scene.services.keys()].map((name) => `Service ${name}`);
  const conditions = (status?.conditions ?? [])
    .filter((it) => it.status === 'True')
    .map(({ type, reason }) => `${type} ${reason}`);
  const { replicas, availableReplicas, updatedReplicas, currentReplicas, currentRevision, updateRevision } =
    status ?? {};
  const numbers = { replicas, availableReplicas, updatedReplicas, currentReplicas, currentRevision, updateRevision };
  return [...pods.sort(), ...services.sort(), ...conditions, JSON.stringify(numbers)].join('\n');
};
