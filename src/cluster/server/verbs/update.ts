import type { ServerAnswer, ServerRequest, StoredObject } from '../../server-types.ts';
import { answerWith } from '../answer.ts';
import { decodeObject } from '../body.ts';
import type { Core } from '../core.ts';
import { resourceOf, served } from '../kinds/kind.ts';
import { withMetadata } from '../kinds/metadata.ts';
import { badRequest, conflict } from '../status-error.ts';
import { keyIn, type Target } from '../target.ts';
import { createObject } from './create.ts';
import { checkNamespace } from './namespace-lifecycle.ts';
import { replaceObject } from './replace.ts';
import { shape } from './shape.ts';
import { writeOptionsOf } from './write-options.ts';

/** PUT of an object, or of its `status`. */
export const update = (core: Core, target: Target, request: ServerRequest): ServerAnswer => {
  const { kind } = target;
  if (target.name === undefined) throw badRequest('name must be provided');
  const options = writeOptionsOf(request, 'UpdateOptions');
  const sent = decodeObject(core, request, kind);
  checkIdentity(target, sent);
  const shaped = shape(kind, withMetadata(sent, { namespace: target.namespace }), options.fieldValidation);
  const next = kind.conversion?.toStored(shaped.object) ?? shaped.object;
  const { dryRun } = options;
  const isNew =
    kind.strategy.createOnUpdate &&
    target.subresource === undefined &&
    core.store.get(kind.storage, keyIn(target.namespace, target.name)) === undefined;
  if (isNew) checkNamespace(core, target);
  const derive = (previous: StoredObject): StoredObject => {
    checkUid(target, sent, previous);
    return next;
  };
  const result = isNew
    ? createObject(core, { target, request, object: next, dryRun })
    : replaceObject(core, { target, request, verb: 'update', dryRun, derive });
  return answerWith(core, request, {
    kind,
    status: isNew ? 201 : 200,
    body: served(kind, result.object),
    warnings: [...shaped.warnings, ...result.warnings],
  });
};

const checkIdentity = (target: Target, { metadata }: StoredObject): void => {
  if (metadata.name !== undefined && metadata.name !== '' && metadata.name !== target.name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${target.name})`);
  }
  if (!metadata.name)
    throw badRequest('the name of the object (based on URL) was undeterminable: name must be provided');
  if (metadata.namespace && target.namespace !== undefined && metadata.namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
};

const checkUid = (target: Target, { metadata }: StoredObject, previous: StoredObject): void => {
  if (!metadata.uid || metadata.uid === previous.metadata.uid) return;
  throw conflict(
    resourceOf(target.kind),
    target.name ?? '',
    `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${previous.metadata.uid}`,
  );
};
