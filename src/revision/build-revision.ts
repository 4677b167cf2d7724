import {
  controllerRevisionName,
  type ModelServing,
  nameLabel,
  ownerReferenceTo,
  revisionDataVersionAnnotation,
  revisionLabel,
  schedulingInForceAnnotation,
} from '../api/index.ts';
import { type ControllerRevision, jsonEqual, nameOf, resourceVersionOf } from '../objects/index.ts';
import { formatInForce } from './in-force.ts';
import { revisionNameOf } from './revision-name.ts';
import { storedBytes, storedDataOf, storedLayout } from './stored-data.ts';

/**
 * The ControllerRevision for the present spec, ready to be created.
 *
 * @param modelServing  its `status.collisionCount` salts the name
 * @param existing      the ModelServing's revisions so far; the new one is numbered after them
 * @param name          the revision's name where it has one already, without being on record
 *
 * It must be sent as `stringifyAsGo` writes it: `data` is compared byte by byte for ever after.
 */
export const buildRevision = (
  modelServing: ModelServing,
  existing: readonly ControllerRevision[],
  name?: string,
): ControllerRevision => {
  const data = storedDataOf(modelServing.spec);
  const revision = name ?? revisionNameOf(storedBytes(data), modelServing.status?.collisionCount);
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: controllerRevisionName(nameOf(modelServing), revision),
      namespace: modelServing.metadata.namespace,
      labels: { [nameLabel]: nameOf(modelServing), [revisionLabel]: revision },
      annotations: {
        [revisionDataVersionAnnotation]: storedLayout,
        [schedulingInForceAnnotation]: formatInForce(modelServing.spec),
      },
      ownerReferences: [ownerReferenceTo(modelServing)],
    },
    revision: nextRevisionNumber(existing),
    data,
  };
};

/**
 * The JSON merge patch that numbers a revision as the newest, for one that the spec returns to; undefined where it is
 * that already. History and undo go by the number.
 */
export const renumberPatch = (
  revision: ControllerRevision,
  existing: readonly ControllerRevision[],
): object | undefined => {
  const next = nextRevisionNumber(existing.filter((other) => other !== revision));
  if (revision.revision >= next) return undefined;
  return { metadata: { resourceVersion: resourceVersionOf(revision) }, revision: next };
};

/** One more than the highest so far; the first is 1. */
const nextRevisionNumber = (revisions: readonly ControllerRevision[]): number =>
  revisions.reduce((highest, { revision }) => Math.max(highest, revision), 0) + 1;

/**
 * Whether the object that already has the name is the one that was to be created (an earlier try whose answer was
 * lost). If not, the names collide: `status.collisionCount` goes up by one and the next try has another name.
 */
export const isSameRevisionObject = (found: ControllerRevision, wanted: ControllerRevision): boolean =>
  jsonEqual(found.data, wanted.data) &&
  jsonEqual(ownerUIDs(found), ownerUIDs(wanted)) &&
  found.metadata.deletionTimestamp === undefined;

const ownerUIDs = (revision: ControllerRevision): readonly string[] =>
  (revision.metadata.ownerReferences ?? []).map(({ uid }) => uid);
