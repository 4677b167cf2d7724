export { modelServingCrd } from './crd.ts';
export {
  effectiveMaxSurge,
  effectiveMaxUnavailable,
  effectivePartition,
  effectiveProgressDeadlineSeconds,
  effectiveRecoveryPolicy,
  effectiveReplicas,
  effectiveRestartGracePeriodSeconds,
  effectiveRevisionHistoryLimit,
  effectiveRoleReplicas,
  effectiveRolloutType,
  effectiveSchedulerName,
  effectiveUpdateMethod,
  isPaused,
} from './defaults.ts';
export { injectedVariables, type Place } from './environment.ts';
export * from './labels.ts';
export { modelServingApiVersion, modelServingResource } from './modelserving-resource.ts';
export {
  controllerRevisionName,
  entryName,
  groupName,
  type PodIdentity,
  parseGroupName,
  parsePodName,
  podName,
  type RoleInstanceIdentity,
  roleId,
} from './names.ts';
export { ownerReferenceTo } from './owner.ts';
export { instanceLabels, podsPerInstance, type RenderPodInput, renderPod } from './pod.ts';
export { decodeRecreations, encodeRecreations, type Recreation } from './recreations.ts';
export { type RenderServiceInput, renderService } from './service.ts';
export type * from './types.ts';
export { decodeUnits, encodeUnits, type InstanceRecord } from './units.ts';
export { refusalMessage, type Verdict, validate } from './validation/validate.ts';
