import { nameOf, type Pod } from '../objects/index.ts';
import { injectEnvironment } from './environment.ts';
import {
  createdRevisionAnnotation,
  entryLabel,
  groupNameLabel,
  identityLabels,
  nameLabel,
  podGroupNameAnnotation,
  podStateAnnotations,
  revisionLabel,
  roleIdLabel,
  roleLabel,
  roleTemplateHashLabel,
  taskSpecAnnotation,
} from './labels.ts';
import { entryName, groupName, podName, type RoleInstanceIdentity, roleId } from './names.ts';
import { ownerReferenceTo } from './owner.ts';
import type { ModelServing, PodTemplate, Role } from './types.ts';

export interface RenderPodInput {
  readonly modelServing: ModelServing;
  /** As the revision has it, which need not be the present spec's. */
  readonly role: Role;
  readonly group: number;
  readonly instance: number;
  /** 0 is the entry Pod. */
  readonly index: number;
  readonly revision: string;
  readonly roleTemplateHash: string;
  /** As the revision has it. */
  readonly schedulerName: string;
  /** The group has a PodGroup: the Pod names it for Volcano. */
  readonly inPodGroup: boolean;
}

/** Pods of one role instance: the entry and its workers. */
export const podsPerInstance = (role: Role): number => 1 + Math.max(0, role.workerReplicas);

/**
 * The Pod as it should be created, before plugins. Labels and annotations of the template are kept, but those that say
 * which Pod it is are always the operator's; the spec is the template's, with schedulerName and environment set.
 * Throws a TypeError for a worker of a Role without workerTemplate, which admission refuses.
 */
export const renderPod = (input: RenderPodInput): Pod => {
  const { modelServing, role, group, instance, index } = input;
  const id = { group, role: role.name, instance };
  const name = nameOf(modelServing);
  const namespace = modelServing.metadata.namespace ?? 'default';
  const template = templateOf(role, index);
  const place = {
    size: podsPerInstance(role),
    entryAddress: `${entryName(name, id)}.${namespace}`,
    workerIndex: index,
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podName(name, { ...id, index }),
      namespace,
      labels: {
        ...without(template.metadata?.labels, identityLabels),
        ...instanceLabels(modelServing, id),
        ...(index === 0 ? { [entryLabel]: 'true' } : {}),
        [revisionLabel]: input.revision,
        [roleTemplateHashLabel]: input.roleTemplateHash,
      },
      annotations: annotationsOf(input, template),
      ownerReferences: [ownerReferenceTo(modelServing)],
    },
    spec: {
      ...injectEnvironment(template.spec ?? { containers: [] }, place),
      schedulerName: input.schedulerName,
    },
  };
};

/** The labels that Pods and Service of a role instance share. */
export const instanceLabels = (
  modelServing: ModelServing,
  id: RoleInstanceIdentity,
): Readonly<Record<string, string>> => ({
  [nameLabel]: nameOf(modelServing),
  [groupNameLabel]: groupName(nameOf(modelServing), id.group),
  [roleLabel]: id.role,
  [roleIdLabel]: roleId(id.role, id.instance),
});

const templateOf = (role: Role, index: number): PodTemplate => {
  const template = index === 0 ? role.entryTemplate : role.workerTemplate;
  if (template === undefined) throw new TypeError(`role ${role.name} has workers but no workerTemplate`);
  return template;
};

const annotationsOf = (input: RenderPodInput, template: PodTemplate): Readonly<Record<string, string>> => ({
  ...without(template.metadata?.annotations, podStateAnnotations),
  [createdRevisionAnnotation]: input.revision,
  ...(input.inPodGroup
    ? {
        [podGroupNameAnnotation]: groupName(nameOf(input.modelServing), input.group),
        [taskSpecAnnotation]: roleId(input.role.name, input.instance),
      }
    : {}),
});

/** Tolerates null, which a template stored by an older CRD may hold. */
const without = (
  map: Readonly<Record<string, string>> | null | undefined,
  keys: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !keys.includes(key)));
