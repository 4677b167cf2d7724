export { buildRevision, inForcePatch, isSameRevisionObject, renumberPatch } from './build-revision.ts';
export { compareRevisions, findEqualRevision, type RevisionRelation, sameRole } from './compare-revisions.ts';
export {
  gangPolicyMeaning,
  networkTopologyMeaning,
  pluginsMeaning,
  type RoleMeaning,
  roleMeaning,
  schedulerMeaning,
} from './meaning.ts';
export { revisionsToPrune } from './prune-revisions.ts';
export { type RevisionReading, readRevision, revisionOf } from './read-revision.ts';
export { restoreRoles, restoreSpec } from './restore-revision.ts';
export {
  type Recorded,
  type RecordedField,
  type RevisionData,
  type RevisionRole,
  recordedFields,
  revisionDataOf,
  silences,
} from './revision-data.ts';
export { roleTemplateHash } from './revision-name.ts';
