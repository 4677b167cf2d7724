import { nameOf, type Service } from '../objects/index.ts';
import { entryLabel, groupNameLabel, roleIdLabel, roleLabel } from './labels.ts';
import { entryName, groupName, roleId } from './names.ts';
import { ownerReferenceTo } from './owner.ts';
import { instanceLabels } from './pod.ts';
import type { ModelServing, Role } from './types.ts';

export interface RenderServiceInput {
  readonly modelServing: ModelServing;
  readonly role: Role;
  readonly group: number;
  readonly instance: number;
}

/**
 * The headless Service through which workers reach the entry Pod of their role instance, also before it is ready. Only
 * a Role with a workerTemplate has one, even if it has no workers at present.
 */
export const renderService = (input: RenderServiceInput): Service | undefined => {
  const { modelServing, role, group, instance } = input;
  if (role.workerTemplate === undefined || role.workerTemplate === null) return undefined;
  const id = { group, role: role.name, instance };
  const name = nameOf(modelServing);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: entryName(name, id),
      namespace: modelServing.metadata.namespace,
      labels: instanceLabels(modelServing, id),
      ownerReferences: [ownerReferenceTo(modelServing)],
    },
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: {
        [groupNameLabel]: groupName(name, id.group),
        [roleLabel]: role.name,
        [roleIdLabel]: roleId(role.name, id.instance),
        [entryLabel]: 'true',
      },
    },
  };
};
