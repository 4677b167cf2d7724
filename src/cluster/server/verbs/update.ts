import { jsonEqual } from '../../../objects/index.ts';
import type { ServerAnswer, ServerRequest, StoredObject } from '../../server-types.ts';
import { answerWith } from '../answer.ts';
import { decodeObject } from '../body.ts';
import type { Core } from '../core.ts';
import { type FieldError, invalidValue } from '../field-error.ts';
import { kindOf, resourceOf, served } from '../kinds/kind.ts';
import { withFields, withMetadata } from '../kinds/metadata.ts';
import { checkChangedMetadata } from '../kinds/object-meta.ts';
import { badRequest, conflict, invalid, modified, notFound } from '../status-error.ts';
import { keyIn, type Target } from '../target.ts';
import { admit } from './admit.ts';
import { commit, commitRemoval } from './commit.ts';
import { createObject } from './create.ts';
import { nextGeneration } from './generation.ts';
import { checkNamespace } from './namespace-lifecycle.ts';
import { type Shaped, shape } from './shape.ts';
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
  const previous = core.store.get(kind.storage, keyIn(target.namespace, target.name));
  const change = { target, request, next, verb: 'update' as const, dryRun: options.dryRun };
  if (previous === undefined && (!kind.strategy.createOnUpdate || target.subresource !== undefined)) {
    throw notFound(resourceOf(kind), target.name);
  }
  if (previous !== undefined) checkUid(target, sent, previous);
  else checkNamespace(core, target);
  const result =
    previous === undefined
      ? createObject(core, { target, request, object: next, dryRun: options.dryRun })
      : replaceObject(core, { ...change, previous });
  return answerWith(core, request, {
    kind,
    status: previous === undefined ? 201 : 200,
    body: served(kind, result.object),
    warnings: [...shaped.warnings, ...result.warnings],
  });
};

export interface Replacement {
  readonly target: Target;
  readonly request: ServerRequest;
  readonly verb: 'update' | 'patch';
  readonly previous: StoredObject;
  readonly next: StoredObject;
  readonly dryRun: boolean;
}

/** The rest of an update or a patch, once it is known what the object shall be. */
export const replaceObject = (core: Core, replacement: Replacement): Shaped => {
  const { target, request, previous, dryRun } = replacement;
  const { kind } = target;
  const { strategy } = kind;
  checkVersion(replacement);
  const environment = core.environment();
  const complete = (object: StoredObject): StoredObject => {
    const defaulted = strategy.defaults?.(object, environment) ?? object;
    const kept = keepStatusApart(target, keepSystemFields(defaulted, previous), previous);
    const prepared = target.subresource === undefined ? (strategy.prepareUpdate?.(kept, previous) ?? kept) : kept;
    return withMetadata(prepared, { generation: nextGeneration(strategy, prepared, previous) });
  };
  const wanted = complete(replacement.next);
  const admitted = admit(core, {
    operation: 'UPDATE',
    group: kind.group,
    resource: kind.plural,
    subresource: target.subresource,
    namespace: target.namespace,
    name: target.name ?? '',
    object: wanted,
    oldObject: previous,
    userName: request.userName,
  });
  const next = admitted.object === wanted ? wanted : complete(shape(kind, admitted.object ?? wanted, 'Ignore').object);
  const errors = errorsOf(target, next, previous);
  if (errors.length > 0) throw invalid(kindOf(kind), target.name ?? '', errors);
  if (admitted.refusal !== undefined) throw admitted.refusal;

  const { warnings } = admitted;
  // A write that changes nothing is no write: same resourceVersion, no event.
  if (dryRun || jsonEqual(next, previous)) return { object: next, warnings };
  const write = { target, request, verb: replacement.verb };
  if (isFinished(next)) {
    commitRemoval(core, write, previous);
    return { object: next, warnings };
  }
  return { object: commit(core, write, next), warnings };
};

// Both the registry and the kind's own rules look at the metadata, so each error is told twice, as by a real server.
const errorsOf = (target: Target, next: StoredObject, previous: StoredObject): readonly FieldError[] => {
  const { strategy } = target.kind;
  const metadata = checkChangedMetadata(next.metadata, previous.metadata);
  const rules = target.subresource === 'status' ? strategy.validateStatus : strategy.validateUpdate;
  return [...metadata, ...metadata, ...(rules?.(next, previous) ?? [])];
};

/** Its deletion waited for finalizers alone, and the last one is gone. */
const isFinished = ({ metadata }: StoredObject): boolean =>
  metadata.deletionTimestamp !== undefined &&
  (metadata.finalizers ?? []).length === 0 &&
  (metadata.deletionGracePeriodSeconds ?? 0) === 0;

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

const checkVersion = ({ target, next, previous }: Replacement): void => {
  const { kind, name = '' } = target;
  const { resourceVersion } = next.metadata;
  if (!resourceVersion) {
    if (kind.strategy.unconditionalUpdate) return;
    // The one error that names the resource where all others name the kind.
    throw invalid(resourceOf(kind), name, [
      invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
    ]);
  }
  if (resourceVersion !== previous.metadata.resourceVersion) throw conflict(resourceOf(kind), name, modified);
};

const keepSystemFields = (next: StoredObject, { metadata }: StoredObject): StoredObject =>
  withMetadata(next, {
    name: next.metadata.name || metadata.name,
    uid: next.metadata.uid || metadata.uid,
    resourceVersion: metadata.resourceVersion,
    creationTimestamp: metadata.creationTimestamp,
    generation: metadata.generation,
    managedFields: metadata.managedFields,
    selfLink: undefined,
    deletionTimestamp: metadata.deletionTimestamp,
    deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds,
  });

const keepStatusApart = (target: Target, next: StoredObject, previous: StoredObject): StoredObject => {
  const { strategy } = target.kind;
  if (!strategy.statusSubresource) return next;
  if (target.subresource === undefined) return withFields(next, { status: previous['status'] });
  if (target.subresource !== 'status') return next;
  const metadata = strategy.statusWritesMetadata === true ? next.metadata : previous.metadata;
  return withFields(previous, { metadata, status: next['status'] });
};
