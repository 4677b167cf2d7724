// Every label and annotation key the operator reads or writes. Those without "ours" are kthena's.

/** On every child: the ModelServing it belongs to. */
export const nameLabel = 'modelserving.volcano.sh/name';
/** `<modelserving>-<ordinal>`. */
export const groupNameLabel = 'modelserving.volcano.sh/group-name';
export const roleLabel = 'modelserving.volcano.sh/role';
/** `<role>-<ordinal>`. */
export const roleIdLabel = 'modelserving.volcano.sh/role-id';
/** `true` on entry Pods; absent on workers. */
export const entryLabel = 'modelserving.volcano.sh/entry';
/** The revision a Pod was made from or brought to, and the name of a ControllerRevision without its prefix. */
export const revisionLabel = 'modelserving.volcano.sh/revision';
/** Tells which Pods of one Role share a template. */
export const roleTemplateHashLabel = 'modelserving.volcano.sh/role-template-hash';

/** Labels that say which Pod one is. On Pods the operator's values always win over the template's. */
export const identityLabels: readonly string[] = [
  nameLabel,
  groupNameLabel,
  roleLabel,
  roleIdLabel,
  entryLabel,
  revisionLabel,
  roleTemplateHashLabel,
];

/** Ours, on Pods: intent and baseline of an in-place update, written with the image. */
export const inPlaceUpdateStateAnnotation = 'modelserving.volcano.sh/inplace-update-state';
/** Ours, on Pods: the revision the Pod was created from; never changed. */
export const createdRevisionAnnotation = 'modelserving.volcano.sh/created-revision';
/** Ours, on Pods: since when a restarted container has kept the Pod from being Ready. */
export const failingSinceAnnotation = 'modelserving.volcano.sh/failing-since';

/** Annotations that tell the story of one Pod; a template copied from a live Pod must not pass them on. */
export const podStateAnnotations: readonly string[] = [
  inPlaceUpdateStateAnnotation,
  createdRevisionAnnotation,
  failingSinceAnnotation,
];

/** Ours, on a ModelServing: `true` lets no further unit start its update. */
export const pausedAnnotation = 'modelserving.volcano.sh/paused';

/** On ControllerRevisions: the layout of their data. */
export const revisionDataVersionAnnotation = 'modelserving.volcano.sh/revision-data-version';
/** Ours, on ControllerRevisions: the gangPolicy and networkTopology in force for them, which are not revision data. */
export const schedulingInForceAnnotation = 'modelserving.volcano.sh/scheduling-in-force';

/** On Pods, by users: what it costs to delete the Pod in a scale-down. */
export const podDeletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
/** Volcano's, on Pods and PodGroups: the PodGroup. */
export const podGroupNameAnnotation = 'scheduling.k8s.io/group-name';
/** Volcano's, on Pods: the task of the PodGroup, `<role>-<ordinal>`. */
export const taskSpecAnnotation = 'volcano.sh/task-spec';
/** Ours, on PodGroups: the queue that was asked for, so that the end of that wish can be told from a default. */
export const requestedQueueAnnotation = 'modelserving.volcano.sh/requested-queue';
/** On a ModelServing, by users: Volcano's queue for its PodGroups. */
export const queueNameAnnotation = 'scheduling.volcano.sh/queue-name';
