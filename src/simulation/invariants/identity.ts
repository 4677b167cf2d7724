import {
  entryLabel,
  entryName,
  groupName,
  groupNameLabel,
  nameLabel,
  roleId,
  roleIdLabel,
  roleLabel,
} from '../../api/index.ts';
import type { Invariant } from './invariant.ts';
import { revisionOfPod } from './scene.ts';
import { ownPodWrite } from './write-kinds.ts';

export const identity: Invariant = {
  id: 'I27',
  rule: 'A Pod is created with one controller, the labels of its place, the three variables, and the images of the revision it is labelled with.',
  begin: () => ({
    before: (judged) => {
      const made = ownPodWrite(judged, 'create');
      if (made === undefined) return undefined;
      const { pod, name } = made;
      const ms = judged.scene.options.name;
      const controllers = (pod.metadata.ownerReferences ?? []).filter(({ controller }) => controller === true);
      if (controllers.length !== 1) return `Pod ${name} has ${controllers.length} controllers`;
      const labels: readonly (readonly [string, string | undefined])[] = [
        [nameLabel, ms],
        [groupNameLabel, groupName(ms, made.group)],
        [roleLabel, made.role],
        [roleIdLabel, roleId(made.role, made.instance)],
        [entryLabel, made.index === 0 ? 'true' : undefined],
      ];
      const wrong = labels.find(([key, value]) => pod.metadata.labels?.[key] !== value);
      if (wrong !== undefined) return `Pod ${name} has ${wrong[0]}=${pod.metadata.labels?.[wrong[0]]}, not ${wrong[1]}`;
      const role = judged.scene.roles(revisionOfPod(pod))?.find((it) => it.name === made.role);
      if (role === undefined) return `Pod ${name} is of revision ${revisionOfPod(pod)}, which is not on record`;
      const template = made.index === 0 ? role.entryTemplate : role.workerTemplate;
      const variables = [
        ['GROUP_SIZE', String(1 + role.workerReplicas)],
        ['ENTRY_ADDRESS', `${entryName(ms, made)}.${pod.metadata.namespace ?? 'default'}`],
        ['WORKER_INDEX', String(made.index)],
      ] as const;
      for (const container of pod.spec.containers) {
        const unset = variables.find(([key, value]) => container.env?.find((it) => it.name === key)?.value !== value);
        if (unset !== undefined) return `Pod ${name}: ${unset[0]} of ${container.name} is not ${unset[1]}`;
        const image = template?.spec?.containers.find((it) => it.name === container.name)?.image;
        if (container.image !== image)
          return `Pod ${name}: ${container.name} is made with ${container.image}, not ${image}`;
      }
      return undefined;
    },
  }),
};
