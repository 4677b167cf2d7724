import { decodeUnits, type InstanceRecord, type ModelServing } from '../../api/index.ts';
import { jsonEqual } from '../../objects/index.ts';
import { readMarker } from '../../rollout/index.ts';
import type { Finding, Invariant } from './invariant.ts';
import { isAlive, type Scene, type ScenePod } from './scene.ts';
import { instanceKey } from './units.ts';
import { isOwnStatusWrite } from './write-kinds.ts';

export const statusNumbers: Invariant = {
  id: 'I39',
  rule: 'Counts stay between 0 and replicas, and observedGeneration never goes back nor ahead of the generation.',
  begin: () => ({
    before: (judged): Finding => {
      if (!isOwnStatusWrite(judged)) return undefined;
      const { status = {}, metadata } = judged.entry.object as ModelServing;
      const before = (judged.entry.previous as ModelServing | undefined)?.status;
      const { replicas = 0, availableReplicas = 0, updatedReplicas = 0, currentReplicas = 0 } = status;
      for (const [name, value] of Object.entries({ availableReplicas, updatedReplicas, currentReplicas })) {
        if (value < 0 || value > replicas) return `${name} is ${value} of ${replicas}`;
      }
      const { observedGeneration = 0 } = status;
      if (observedGeneration > (metadata.generation ?? 0)) return `observedGeneration ${observedGeneration} is ahead`;
      if (observedGeneration < (before?.observedGeneration ?? 0))
        return `observedGeneration goes back to ${observedGeneration}`;
      return undefined;
    },
  }),
};

/** Its marker is above what these records say. */
const isOpen = (scene: Scene, pod: ScenePod, records: readonly InstanceRecord[]): boolean => {
  const reading = readMarker(pod.pod, scene.modelServing?.metadata.uid ?? '');
  const completed = records.find((it) => instanceKey(it) === instanceKey(pod))?.completed;
  return reading.state === 'valid' && isAlive(pod) && reading.marker.attempt > (completed ?? Number.POSITIVE_INFINITY);
};

export const statusHonest: Invariant = {
  id: 'I42',
  rule: 'Exactly one of the three conditions is True, and that is not Available while a Pod is in update; a transition time changes with its status and only then; no status is written twice.',
  begin: () => ({
    before: (judged): Finding => {
      if (!isOwnStatusWrite(judged)) return undefined;
      const after = (judged.entry.object as ModelServing).status ?? {};
      const before = (judged.entry.previous as ModelServing | undefined)?.status ?? {};
      if (jsonEqual(after, before)) return 'the same status was written again';
      const conditions = after.conditions ?? [];
      const holds = conditions.filter(({ status }) => status === 'True').map(({ type }) => type);
      if (holds.length !== 1) return `True are ${holds.join(', ') || 'no conditions'}`;
      if (holds[0] === 'Available') {
        const records = decodeUnits(after.units);
        const open = judged.scene.ownPods().find((pod) => isOpen(judged.scene, pod, records));
        if (open !== undefined) return `Available is True while Pod ${open.name} is in update`;
      }
      for (const condition of conditions) {
        const old = before.conditions?.find(({ type }) => type === condition.type);
        if (old?.status === condition.status && old.lastTransitionTime !== condition.lastTransitionTime) {
          return `${condition.type} stays ${condition.status}, and its transition time changes`;
        }
      }
      return undefined;
    },
  }),
};
