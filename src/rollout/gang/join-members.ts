import { groupName, podGroupNameAnnotation, roleId, taskSpecAnnotation } from '../../api/index.ts';
import { resourceVersionOf } from '../../objects/index.ts';
import type { Context } from '../context.ts';
import type { UnitView } from '../observe/assess.ts';
import { isAlive } from '../observe/pod-view.ts';
import { isMember, usesVolcano } from './observe-gangs.ts';

/**
 * Lets Pods that exist join the PodGroup of their group: those made before Volcano was there, or whose annotation was
 * removed by hand. Metadata only. Without it the others would wait for members that never come.
 */
export const joinMembers = (context: Context, units: readonly UnitView[]): void => {
  const { draft, msName } = context;
  for (const unit of units.filter((it) => usesVolcano(context, it))) {
    for (const pod of unit.pods) {
      if (!isAlive(pod) || isMember(context, pod) || draft.touches(pod)) continue;
      const annotations = {
        [podGroupNameAnnotation]: groupName(msName, pod.group),
        [taskSpecAnnotation]: roleId(pod.role, pod.instance),
      };
      draft.patchPod(pod, {
        key: `join/${pod.uid}`,
        body: { metadata: { resourceVersion: resourceVersionOf(pod.pod), annotations } },
        why: `${unit.title}: joins the PodGroup`,
      });
    }
  }
};
