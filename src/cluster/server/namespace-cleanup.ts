import type { ServerRequest, StoredObject } from '../server-types.ts';
import type { Core } from './core.ts';
import type { Kind } from './kinds/kind.ts';
import { commitRemoval } from './verbs/commit.ts';
import { deleteObject } from './verbs/delete.ts';

/**
 * The namespace controller: deletes what is in a namespace that is being deleted, and the namespace when nothing is
 * left. Pods leave when their nodes let go, other objects when their finalizers do. All in the name of the controller,
 * each step a moment (0 ms) after its cause.
 */
export const cleanNamespaces = (core: Core): void => {
  const waiting = new Set<string>();
  const soon = (name: string): void => {
    if (waiting.has(name)) return;
    waiting.add(name);
    core.platform.timers.after(0, () => {
      waiting.delete(name);
      clean(core, name);
    });
  };
  core.store.subscribe('namespaces', ({ type, object }) => {
    if (type !== 'DELETED' && isTerminating(object)) soon(object.metadata.name ?? '');
  });
  core.store.subscribeAll(({ type, object }) => {
    const { namespace } = object.metadata;
    if (type !== 'DELETED' || namespace === undefined) return;
    const home = core.store.get('namespaces', namespace);
    if (home !== undefined && isTerminating(home)) soon(namespace);
  });
};

const isTerminating = (object: StoredObject): boolean => object.metadata.deletionTimestamp !== undefined;

const clean = (core: Core, name: string): void => {
  const namespace = core.store.get('namespaces', name);
  if (namespace === undefined || !isTerminating(namespace)) return;
  const left = contentsOf(core, name);
  for (const [kind, object] of left) {
    if (isTerminating(object)) continue;
    const target = { kind, namespace: name, name: object.metadata.name };
    deleteObject(core, { target, request: controller, object, options: { dryRun: false } });
  }
  const home = core.kinds.find('', 'v1', 'namespaces');
  if (home === undefined || contentsOf(core, name).length > 0) return;
  commitRemoval(core, { target: { kind: home, name }, request: controller, verb: 'delete' }, namespace);
};

/** Each stored object once, though several kinds may show it. */
const contentsOf = (core: Core, name: string): readonly (readonly [Kind, StoredObject])[] => {
  const byStorage = new Map(core.kinds.all().map((kind) => [kind.storage, kind]));
  return [...byStorage.values()]
    .filter((kind) => kind.namespaced)
    .flatMap((kind) =>
      core.store
        .list(kind.storage)
        .filter((object) => object.metadata.namespace === name)
        .map((object) => [kind, object] as const),
    );
};

const controller: ServerRequest = {
  method: 'DELETE',
  segments: [],
  query: new URLSearchParams(),
  headers: {},
  body: new Uint8Array(),
  userName: 'system:serviceaccount:kube-system:namespace-controller',
};
