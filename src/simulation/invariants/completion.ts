import { decodeUnits, type ModelServing } from '../../api/index.ts';
import { readMarker } from '../../rollout/index.ts';
import type { Finding, Invariant } from './invariant.ts';
import type { Scene, ScenePod } from './scene.ts';
import { instanceKey } from './units.ts';
import { isOwnStatusWrite } from './write-kinds.ts';

/** What is wrong with calling the update of this Pod completed. */
const wrongWith = (scene: Scene, { pod, name }: ScenePod): Finding => {
  const reading = readMarker(pod, scene.modelServing?.metadata.uid ?? '');
  if (reading.state !== 'valid' || scene.wasEverTouched(pod)) return undefined;
  for (const [container, { to }] of Object.entries(reading.marker.containers)) {
    const truth = scene.truth(pod, container);
    if (truth !== undefined && truth.image !== to) {
      return `the update of Pod ${name} is called complete, and container ${container} is ${truth.image}, not ${to}`;
    }
  }
  return undefined;
};

export const completion: Invariant = {
  id: 'I13',
  rule: 'When an update is recorded as completed, every patched container really is the target image: by what the node runs, not by any status.',
  begin: () => ({
    before: (judged) => {
      if (!isOwnStatusWrite(judged)) return undefined;
      const { scene, entry } = judged;
      const before = new Map(scene.records().map((record) => [instanceKey(record), record.completed]));
      const closed = decodeUnits((entry.object as ModelServing).status?.units)
        .filter((record) => record.completed > (before.get(instanceKey(record)) ?? record.completed))
        .map(instanceKey);
      return scene
        .ownPods()
        .filter((pod) => closed.includes(instanceKey(pod)))
        .map((pod) => wrongWith(scene, pod))
        .find((finding) => finding !== undefined);
    },
  }),
};
