export { buildRevision, isSameRevisionObject, renumberPatch } from './build-revision.ts';
export { compareRevisions, findEqualRevision, type RevisionRelation, sameRole } from './compare-revisions.ts';
export { type Unsaid, unsaidBy } from './in-force.ts';
export { awaitsTakeover, inForcePatch, provedPatch } from './in-force-patch.ts';
export {
  gangPolicyMeaning,
  networkTopologyMeaning,
  pluginsMeaning,
  type RoleMeaning,
  roleMeaning,
  schedulerMeaning,
  templateMeaning,
} from './meaning.ts';
export { revisionsToPrune } from './prune-revisions.ts';
export { type RevisionReading, readRevision, revisionOf } from './read-revision.ts';
export { restoreRoles } from './restore-revision.ts';
export {
  type Recorded,
  type RecordedField,
  type RevisionData,
  type RevisionRole,
  recorded,
  recordedFields,
  revisionDataOf,
  silences,
} from './revision-data.ts';
export { roleTemplateHash } from './revision-name.ts';
