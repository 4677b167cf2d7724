import type { ServerAnswer, ServerRequest, StoredObject } from '../../server-types.ts';
import { answerWith } from '../answer.ts';
import type { Core } from '../core.ts';
import { kindOf, resourceOf, served } from '../kinds/kind.ts';
import { badRequest, conflict, forbidden, type Status } from '../status-error.ts';
import type { Target } from '../target.ts';
import { admit } from './admit.ts';
import { commit, commitRemoval } from './commit.ts';
import { type DeleteOptions, deleteOptionsOf } from './delete-options.ts';
import { planDeletion } from './deletion.ts';
import { existing } from './get.ts';

/** DELETE of one object. */
export const deleteOne = (core: Core, target: Target, request: ServerRequest): ServerAnswer => {
  if (target.name === undefined) throw badRequest('name must be provided');
  const options = deleteOptionsOf(core, request);
  const check = (): StoredObject => {
    const object = existing(core, target);
    checkPreconditions(target, object, options);
    return object;
  };
  check();
  if (!options.dryRun) core.beforeCommit({ target, request, verb: 'delete' });
  const object = check();
  const left = deleteObject(core, { target, request, object, options });
  if (left === undefined) return { status: 200, body: goneStatus(target, object) };
  return answerWith(core, request, { kind: target.kind, status: 200, body: served(target.kind, left) });
};

/** Deletes as far as it goes at once. Returns what the client is shown; undefined where a Status says it all. */
export const deleteObject = (
  core: Core,
  deletion: { target: Target; request: ServerRequest; object: StoredObject; options: DeleteOptions },
): StoredObject | undefined => {
  const { target, request, object, options } = deletion;
  const { kind } = target;
  if (kind.strategy.undeletable?.includes(object.metadata.name ?? '') === true) {
    throw forbidden(resourceOf(kind), object.metadata.name ?? '', 'this namespace may not be deleted');
  }
  const { refusal } = admit(core, {
    operation: 'DELETE',
    group: kind.group,
    resource: kind.plural,
    namespace: object.metadata.namespace,
    name: object.metadata.name ?? '',
    oldObject: object,
    userName: request.userName,
  });
  if (refusal !== undefined) throw refusal;

  const write = { target, request, verb: 'delete' as const };
  const shown = (last: StoredObject): StoredObject | undefined => (kind.strategy.answersDeleted ? last : undefined);
  const plan = planDeletion(kind.strategy, object, options, core.platform.clock.wall());
  if (options.dryRun) return plan.step === 'mark' ? plan.object : shown(object);
  switch (plan.step) {
    case 'pending':
      return object;
    case 'mark':
      return plan.object === object ? object : commit(core, write, plan.object);
    case 'remove': {
      const last = plan.marked === undefined ? object : commit(core, write, plan.marked);
      return shown(commitRemoval(core, write, last));
    }
  }
};

/** Throws 409 where the object is not the one that the client means. */
export const checkPreconditions = (target: Target, { metadata }: StoredObject, options: DeleteOptions): void => {
  const differs = (what: string, wanted: string, found: string | undefined, hint: string): Error =>
    conflict(
      kindOf(target.kind),
      target.name ?? '',
      `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found}). The object might have been ${hint}`,
    );
  if (options.uid !== undefined && options.uid !== metadata.uid) {
    throw differs('UID', options.uid, metadata.uid, 'deleted and then recreated');
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== metadata.resourceVersion) {
    throw differs('ResourceVersion', options.resourceVersion, metadata.resourceVersion, 'modified');
  }
};

const goneStatus = ({ kind }: Target, { metadata }: StoredObject): Status => {
  const { group, name } = resourceOf(kind);
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: metadata.name, ...(group === '' ? {} : { group }), kind: name, uid: metadata.uid },
  };
};
