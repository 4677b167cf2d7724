import { keyOf, refOf } from '../../../objects/index.ts';
import type { Core } from '../core.ts';
import { record } from '../kinds/fields.ts';
import { customStorage } from './custom-kinds.ts';

/**
 * Objects go with the definition of their kind. A real server waits for their finalizers; nobody could see or finish
 * them here, so they go at once.
 */
export const removeWithDefinition = (core: Core): void => {
  core.store.subscribe('apiextensions.k8s.io/customresourcedefinitions', ({ type, object: crd }) => {
    if (type !== 'DELETED') return;
    const storage = customStorage(crd);
    const spec = record(crd['spec']);
    for (const previous of core.store.list(storage)) {
      const object = core.store.remove(storage, keyOf(refOf(previous)));
      core.ledger.record({
        resourceVersion: object.metadata.resourceVersion ?? '',
        atMs: core.platform.clock.wall(),
        userName: 'system:apiserver',
        verb: 'delete',
        group: String(spec['group']),
        resource: String(record(spec['names'])['plural']),
        namespace: object.metadata.namespace,
        name: object.metadata.name ?? '',
        object,
        previous,
      });
    }
  });
};
