import { jsonEqual } from '../../../objects/index.ts';
import type { ServerRequest, StoredObject } from '../../server-types.ts';
import type { Core } from '../core.ts';
import { type FieldError, invalidValue } from '../field-error.ts';
import { record } from '../kinds/fields.ts';
import { kindOf, resourceOf } from '../kinds/kind.ts';
import { withFields, withMetadata, withoutUndefined } from '../kinds/metadata.ts';
import { checkChangedMetadata } from '../kinds/object-meta.ts';
import { conflict, invalid, modified } from '../status-error.ts';
import { keyIn, type Target } from '../target.ts';
import { admit } from './admit.ts';
import { commit, commitRemoval } from './commit.ts';
import { nextGeneration } from './generation.ts';
import { existing } from './get.ts';
import { reshape, type Shaped } from './shape.ts';

export interface Replacement {
  readonly target: Target;
  readonly request: ServerRequest;
  readonly verb: 'update' | 'patch';
  readonly dryRun: boolean;
  /** What the object shall be, given what it is. Asked again when someone else was faster. */
  readonly derive: (previous: StoredObject) => StoredObject;
}

/** So often a write that names no resourceVersion is tried again before it is a conflict (handlers.MaxRetryWhenPatchConflicts). */
const attempts = 5;

/** Changes a stored object: the common part of update, patch and the subresources that write. */
export const replaceObject = (core: Core, change: Replacement): Shaped => {
  const { kind, namespace, name = '' } = change.target;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const previous = existing(core, change.target);
    const wanted = judge(core, change, previous);
    // A write that changes nothing is no write: same resourceVersion, no event.
    if (change.dryRun || jsonEqual(wanted.object, previous)) return wanted;
    core.beforeCommit(change);
    if (core.store.get(kind.storage, keyIn(namespace, name)) === previous) return store(core, change, wanted);
  }
  throw conflict(resourceOf(kind), name, modified);
};

const store = (core: Core, change: Replacement, { object, warnings }: Shaped): Shaped => {
  if (!isFinished(change.target, object)) return { object: commit(core, change, object), warnings };
  commitRemoval(core, change, object);
  return { object, warnings };
};

/** What would be stored, after defaults, admission and validation. Throws what the client gets instead. */
const judge = (core: Core, change: Replacement, previous: StoredObject): Shaped => {
  const { target, request } = change;
  const { kind } = target;
  const { strategy } = kind;
  const derived = change.derive(previous);
  checkVersion(target, derived, previous);
  const environment = core.environment();
  const complete = (object: StoredObject): StoredObject => {
    const defaulted = strategy.defaults?.(object, environment) ?? object;
    const kept = keepRest(target, keepSystemFields(defaulted, previous), previous);
    const prepared = target.subresource === undefined ? (strategy.prepareUpdate?.(kept, previous) ?? kept) : kept;
    return withMetadata(prepared, { generation: nextGeneration(strategy, prepared, previous) });
  };
  const wanted = complete(derived);
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
  const object = admitted.object === wanted ? wanted : complete(reshape(kind, admitted.object ?? wanted));
  const errors = errorsOf(target, object, previous);
  if (errors.length > 0) throw invalid(kindOf(kind), target.name ?? '', errors);
  if (admitted.refusal !== undefined) throw admitted.refusal;
  return { object, warnings: [...(strategy.warnings?.(object) ?? []), ...admitted.warnings] };
};

// Both the registry and the kind's own rules look at the metadata, so each error is told twice, as by a real server.
const errorsOf = (target: Target, next: StoredObject, previous: StoredObject): readonly FieldError[] => {
  const { strategy } = target.kind;
  const metadata = checkChangedMetadata(next.metadata, previous.metadata);
  const rules = target.subresource === 'status' ? strategy.validateStatus : strategy.validateUpdate;
  const own = target.subresource === 'ephemeralcontainers' ? strategy.validateEphemeral : rules;
  return [...metadata, ...metadata, ...(own?.(next, previous) ?? [])];
};

/** Its deletion waited for finalizers alone, and the last one is gone. */
const isFinished = ({ kind }: Target, { metadata }: StoredObject): boolean =>
  kind.strategy.deferDeletion === undefined &&
  metadata.deletionTimestamp !== undefined &&
  (metadata.finalizers ?? []).length === 0 &&
  (metadata.deletionGracePeriodSeconds ?? 0) === 0;

const checkVersion = (target: Target, next: StoredObject, previous: StoredObject): void => {
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

/** A write to the object leaves its status alone; a write to a subresource leaves everything else alone. */
const keepRest = ({ kind, subresource }: Target, next: StoredObject, previous: StoredObject): StoredObject => {
  const { statusSubresource, statusWritesMetadata } = kind.strategy;
  switch (subresource) {
    case undefined:
      return statusSubresource ? withFields(next, { status: previous['status'] }) : next;
    case 'status': {
      const metadata = statusWritesMetadata === true ? next.metadata : previous.metadata;
      return withFields(previous, { metadata, status: next['status'] });
    }
    case 'ephemeralcontainers': {
      const { ephemeralContainers } = record(next['spec']);
      return withFields(previous, { spec: withoutUndefined({ ...record(previous['spec']), ephemeralContainers }) });
    }
    default:
      return next;
  }
};
