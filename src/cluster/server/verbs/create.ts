import { randomUuid } from '../../../platform/index.ts';
import type { ServerAnswer, ServerRequest, StoredObject } from '../../server-types.ts';
import { answerWith } from '../answer.ts';
import { decodeObject } from '../body.ts';
import type { Core } from '../core.ts';
import type { FieldError } from '../field-error.ts';
import { type Kind, kindOf, resourceOf, served } from '../kinds/kind.ts';
import { secondsTime, withFields, withMetadata } from '../kinds/metadata.ts';
import { checkNewMetadata } from '../kinds/object-meta.ts';
import { alreadyExists, badRequest, invalid, StatusError } from '../status-error.ts';
import { keyIn, type Target } from '../target.ts';
import { admit } from './admit.ts';
import { commit } from './commit.ts';
import { checkNamespace } from './namespace-lifecycle.ts';
import { randomSuffix } from './random-suffix.ts';
import { reshape, type Shaped, shape } from './shape.ts';
import { writeOptionsOf } from './write-options.ts';

/** POST of a collection. */
export const create = (core: Core, target: Target, request: ServerRequest): ServerAnswer => {
  const { kind } = target;
  const options = writeOptionsOf(request, 'CreateOptions');
  const sent = inNamespaceOf(target, decodeObject(core, request, kind));
  const { object, warnings } = shape(kind, sent, options.fieldValidation);
  checkNamespace(core, target);
  const created = createObject(core, { target, request, object, dryRun: options.dryRun });
  return answerWith(core, request, {
    kind,
    status: 201,
    body: served(kind, created.object),
    warnings: [...warnings, ...created.warnings],
  });
};

/** The rest of a create, once the body is read: also what an update of an absent object does, where that is allowed. */
export const createObject = (
  core: Core,
  options: { target: Target; request: ServerRequest; object: StoredObject; dryRun: boolean },
): Shaped => {
  const { target, request } = options;
  const { kind } = target;
  const { strategy } = kind;
  const environment = core.environment();
  const complete = (object: StoredObject): StoredObject => strategy.defaults?.(object, environment) ?? object;

  if (options.object.metadata.resourceVersion) {
    throw new StatusError(500, undefined, 'resourceVersion should not be set on objects to be created');
  }
  const fresh = withSystemFields(core, kind, complete(kind.conversion?.toStored(options.object) ?? options.object));
  const prepared = strategy.prepareCreate?.(fresh, environment) ?? fresh;
  const admitted = admit(core, {
    operation: 'CREATE',
    group: kind.group,
    resource: kind.plural,
    namespace: target.namespace,
    name: prepared.metadata.name ?? '',
    object: prepared,
    userName: request.userName,
  });
  const object = admitted.object === prepared ? prepared : complete(reshape(kind, admitted.object ?? prepared));

  const errors: readonly FieldError[] = [
    ...checkNewMetadata(object.metadata, strategy.nameRule),
    ...(strategy.validate?.(object) ?? []),
  ];
  if (errors.length > 0) throw invalid(kindOf(kind), object.metadata.name ?? '', errors);
  if (admitted.refusal !== undefined) throw admitted.refusal;

  const name = object.metadata.name ?? '';
  const write = { target: { ...target, name }, request, verb: 'create' as const };
  if (!options.dryRun) core.beforeCommit(write);
  if (core.store.get(kind.storage, keyIn(object.metadata.namespace, name)) !== undefined) {
    throw alreadyExists(resourceOf(kind), name);
  }
  const warnings = [...(strategy.warnings?.(object) ?? []), ...admitted.warnings];
  return { object: options.dryRun ? object : commit(core, write, object), warnings };
};

const inNamespaceOf = (target: Target, object: StoredObject): StoredObject => {
  const { namespace } = object.metadata;
  if (!target.kind.namespaced) return withMetadata(object, { namespace: undefined });
  if (namespace !== undefined && namespace !== '' && namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return withMetadata(object, { namespace: target.namespace });
};

/** What only the server says of a new object, whatever the client wrote there. */
const withSystemFields = (core: Core, kind: Kind, object: StoredObject): StoredObject => {
  const { name, generateName } = object.metadata;
  const made = generateName
    ? `${generateName.slice(0, longestPrefix)}${randomSuffix(core.platform.random)}`
    : undefined;
  const clean = withMetadata(object, {
    name: name || made,
    uid: randomUuid(core.platform.random),
    creationTimestamp: secondsTime(core.platform.clock.wall()),
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
    managedFields: undefined,
    resourceVersion: undefined,
    generation: kind.strategy.generation === 'none' ? undefined : 1,
  });
  const { statusSubresource, createKeepsStatus } = kind.strategy;
  return statusSubresource && createKeepsStatus !== true ? withFields(clean, { status: undefined }) : clean;
};

/** Generated names end at 63 characters, five of them random (names.SimpleNameGenerator). */
const longestPrefix = 58;
