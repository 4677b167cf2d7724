import { decodeUnits, encodeUnits, type ModelServing, pausedAnnotation } from '../../../src/api/index.ts';
import { nameOf, type Pod, uidOf } from '../../../src/objects/index.ts';
import { type DecideInput, readMarker } from '../../../src/rollout/index.ts';
import { changesTwice, fails, pausesBeforeImage } from './habitats.ts';
import { livesIn, type Mutant, misreads, misreports, missees, withKnobs, withStrategy } from './mutant.ts';

const markedTarget = (pod: Pod, { modelServing }: DecideInput): number | undefined => {
  const reading = readMarker(pod, uidOf(modelServing));
  return reading.state === 'valid' && reading.marker.phase === 'Patched' ? reading.marker.attempt : undefined;
};

export const budgetAndOrder: readonly Mutant[] = [
  misreads('maxUnavailable is one too many', (ms) => withKnobs(ms, { maxUnavailable: 2 })),
  misreads('all units start at once', (ms) => withKnobs(ms, { maxUnavailable: '100%' })),
  misreads('the partition is forgotten', (ms) => withKnobs(ms, { partition: 0 })),
  livesIn(
    pausesBeforeImage,
    misreads('a pause is not read', (ms) => ({
      ...ms,
      metadata: { ...ms.metadata, annotations: { ...ms.metadata.annotations, [pausedAnnotation]: 'false' } },
    })),
  ),
  missees('a slot is free as soon as the marker is there', (input) => ({
    ...input,
    modelServing: {
      ...input.modelServing,
      status: { ...input.modelServing.status, units: closed(input) },
    },
  })),
];

/** The records with every marked Pod's attempt counted as completed. */
function closed(input: DecideInput): ReturnType<typeof encodeUnits> {
  const records = decodeUnits(input.modelServing.status?.units).map((record) => {
    const prefix = `${nameOf(input.modelServing)}-${record.group}-${record.role}-${record.instance}-`;
    const attempts = input.children.pods
      .filter((pod) => nameOf(pod).startsWith(prefix))
      .map((pod) => markedTarget(pod, input) ?? 0);
    return { ...record, completed: Math.max(record.completed, ...attempts) };
  });
  return encodeUnits(records);
}

/** Every sighting as if nothing had changed for an hour. */
const longAgo = (sightings: DecideInput['memory']['sightings']): DecideInput['memory']['sightings'] =>
  new Map([...sightings].map(([uid, it]) => [uid, { ...it, since: it.since - 3_600_000 }]));

export const completion: readonly Mutant[] = [
  misreports('an update counts as complete when it was sent', (status, input) => ({
    ...status,
    units: closed({ ...input, modelServing: { ...input.modelServing, status } }),
  })),
  livesIn(
    changesTwice,
    missees('a container need not stand still before it counts', (input) => ({
      ...input,
      memory: { ...input.memory, sightings: longAgo(input.memory.sightings) },
    })),
  ),
  livesIn(
    fails,
    missees('the deadline counts three times as fast', (input) => ({
      ...input,
      modelServing: withStrategy(input.modelServing, { progressDeadlineSeconds: 20 }),
    })),
  ),
  misreports('an update is never closed', (status, { modelServing }) => ({
    ...status,
    units: encodeUnits(
      decodeUnits(status.units).map((record) => ({ ...record, completed: completedIn(modelServing, record) })),
    ),
  })),
];

function completedIn(
  ms: ModelServing,
  id: { readonly group: number; readonly role: string; readonly instance: number },
): number {
  const found = decodeUnits(ms.status?.units).find(
    (it) => it.group === id.group && it.role === id.role && it.instance === id.instance,
  );
  return found?.completed ?? 0;
}
