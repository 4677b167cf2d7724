import type { StoredObject } from '../../server-types.ts';
import { readersOf, record } from './fields.ts';
import { secondsTime, withFields, withMetadata } from './metadata.ts';
import { plain, type Strategy } from './strategy.ts';

/** Namespaces: deleting one only marks it; it goes when everything in it is gone (namespace-cleanup.ts). */
export const namespaceStrategy: Strategy = {
  ...plain,
  nameRule: 'label',
  statusSubresource: true,
  statusWritesMetadata: true,
  answersDeleted: true,
  defaults: (object) =>
    withMetadata(object, {
      labels: { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name ?? '' },
    }),
  prepareCreate: (object) => withFields(object, { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }),
  prepareUpdate: (next, previous) => withFields(next, { spec: previous['spec'] }),
  deferDeletion: (namespace, nowMs) => terminating(namespace, nowMs),
  undeletable: ['default', 'kube-system', 'kube-public'],
  fields: readersOf('status.phase'),
};

const terminating = (namespace: StoredObject, nowMs: number): StoredObject =>
  withFields(withMetadata(namespace, { deletionTimestamp: secondsTime(nowMs) }), {
    status: { ...record(namespace['status']), phase: 'Terminating' },
  });
