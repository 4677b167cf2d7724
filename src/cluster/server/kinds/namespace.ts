import { readersOf } from './fields.ts';
import { withFields, withMetadata } from './metadata.ts';
import { plain, type Strategy } from './strategy.ts';

export const namespaceStrategy: Strategy = {
  ...plain,
  nameRule: 'label',
  statusSubresource: true,
  statusWritesMetadata: true,
  defaults: (object) =>
    withMetadata(object, {
      labels: { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name ?? '' },
    }),
  prepareCreate: (object) => withFields(object, { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } }),
  fields: readersOf('status.phase'),
};
