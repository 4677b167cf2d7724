import type { Core } from '../core.ts';
import { resourceOf } from '../kinds/kind.ts';
import { forbidden, notFound } from '../status-error.ts';
import type { Target } from '../target.ts';

/** Nothing is created in a namespace that is not there (404) or going away (403); the NamespaceLifecycle plugin. */
export const checkNamespace = (core: Core, target: Target): void => {
  if (!target.kind.namespaced || target.namespace === undefined) return;
  const namespace = core.store.get('namespaces', target.namespace);
  if (namespace === undefined) throw notFound({ group: '', name: 'namespaces' }, target.namespace);
  if (namespace.metadata.deletionTimestamp === undefined) return;
  const why = `unable to create new content in namespace ${target.namespace} because it is being terminated`;
  throw forbidden(resourceOf(target.kind), target.name ?? '', why, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${target.namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
};
