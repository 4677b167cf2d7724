import { nameOf } from '../../../objects/index.ts';
import type { LedgerEntry } from '../../cluster-types.ts';
import type { ServerRequest, StoredObject } from '../../server-types.ts';
import type { Core } from '../core.ts';
import { keyIn, type Target } from '../target.ts';

/** Who writes what, as the ledger tells it. */
export interface Write {
  readonly target: Target;
  readonly request: ServerRequest;
  readonly verb: LedgerEntry['verb'];
}

/** Stores the object and notes it in the ledger. Returns it with its new resourceVersion. */
export const commit = (core: Core, write: Write, object: StoredObject): StoredObject => {
  const key = keyIn(object.metadata.namespace, nameOf(object));
  const { storage } = write.target.kind;
  const previous = core.store.get(storage, key);
  const stored = core.store.put(storage, key, object);
  core.ledger.record(entryOf(core, write, stored, previous));
  return stored;
};

/** Removes the stored object and notes it in the ledger. Returns its last state, at the version of the removal. */
export const commitRemoval = (core: Core, write: Write, object: StoredObject): StoredObject => {
  const key = keyIn(object.metadata.namespace, nameOf(object));
  const { storage } = write.target.kind;
  const previous = core.store.get(storage, key);
  const removed = core.store.remove(storage, key);
  core.ledger.record(entryOf(core, { ...write, verb: 'delete' }, removed, previous));
  return removed;
};

const entryOf = (
  core: Core,
  { target, request, verb }: Write,
  object: StoredObject,
  previous: StoredObject | undefined,
): LedgerEntry => ({
  resourceVersion: object.metadata.resourceVersion ?? '',
  atMs: core.platform.clock.wall(),
  userName: request.userName,
  verb,
  group: target.kind.group,
  resource: target.kind.plural,
  subresource: target.subresource,
  namespace: object.metadata.namespace,
  name: nameOf(object),
  object,
  previous,
});
