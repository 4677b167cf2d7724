/** One role instance of a ServingGroup. */
export interface RoleInstanceIdentity {
  /** Ordinal of the ServingGroup. */
  readonly group: number;
  readonly role: string;
  /** Ordinal of the role instance. */
  readonly instance: number;
}

/** One Pod of a role instance. */
export interface PodIdentity extends RoleInstanceIdentity {
  /** 0 is the entry Pod, 1 and up are workers. */
  readonly index: number;
}

/** `llm-3`; also the name of its PodGroup. */
export const groupName = (modelServing: string, group: number): string => `${modelServing}-${group}`;

/** `decode-0`: names a role instance within its ServingGroup. */
export const roleId = (role: string, instance: number): string => `${role}-${instance}`;

/** `llm-3-decode-0-2`. */
export const podName = (modelServing: string, pod: PodIdentity): string =>
  `${groupName(modelServing, pod.group)}-${roleId(pod.role, pod.instance)}-${pod.index}`;

/** The entry Pod's name, which is also the name of the instance's headless Service. */
export const entryName = (modelServing: string, instance: RoleInstanceIdentity): string =>
  podName(modelServing, { ...instance, index: 0 });

/** The longest prefix of a ControllerRevision's name that leaves room for a dash and a hash (as StatefulSets cut it). */
const revisionPrefixLength = 223;

/** `llm-68985b448c`. */
export const controllerRevisionName = (modelServing: string, revision: string): string =>
  `${modelServing.slice(0, revisionPrefixLength)}-${revision}`;

/**
 * Which Pod (or Service, by its entry's name) of this ModelServing has that name; undefined for any other name. Only
 * names that `podName` makes are recognised: `llm-03-decode-0-0` is nobody's. A Role may contain dashes and digits, so
 * the group is read from the front and the rest from the back.
 *
 * `parsePodName('llm', 'llm-3-decode-0-2')` is group 3, Role `decode`, instance 0, index 2.
 */
export const parsePodName = (modelServing: string, name: string): PodIdentity | undefined => {
  if (!name.startsWith(`${modelServing}-`)) return undefined;
  const match = /^(\d+)-(.+)-(\d+)-(\d+)$/.exec(name.slice(modelServing.length + 1));
  if (match === null) return undefined;
  const [, group = '', role = '', instance = '', index = ''] = match;
  const pod = { group: Number(group), role, instance: Number(instance), index: Number(index) };
  return [pod.group, pod.instance, pod.index].every((ordinal) => ordinal <= maxOrdinal) &&
    podName(modelServing, pod) === name
    ? pod
    : undefined;
};

/** The ordinal of the ServingGroup with that name, undefined for other names. */
export const parseGroupName = (modelServing: string, name: string): number | undefined => {
  const ordinal = ordinalOf(name);
  return ordinal !== undefined && groupName(modelServing, ordinal) === name ? ordinal : undefined;
};

/** What follows the last dash, if it is a number that fits into 32 bits. */
export const ordinalOf = (name: string): number | undefined => {
  const digits = /-(\d+)$/.exec(name)?.[1];
  return digits !== undefined && Number(digits) <= maxOrdinal ? Number(digits) : undefined;
};

const maxOrdinal = 2 ** 31 - 1;
