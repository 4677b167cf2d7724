import { jsonEqual } from '../../objects/index.ts';
import type { Invariant } from './invariant.ts';

export const handsOff: Invariant = {
  id: 'I37',
  rule: 'The operator writes nothing of a ModelServing but its status.',
  begin: () => ({
    before: ({ entry, isOwn }) => {
      if (!isOwn || entry.resource !== 'modelservings') return undefined;
      if (entry.subresource !== 'status') return `the operator sent ${entry.verb} to the ModelServing itself`;
      const { object, previous } = entry;
      const fields = (it: typeof object): unknown => {
        const { resourceVersion: _v, managedFields: _m, ...metadata } = it.metadata;
        return { metadata, spec: (it as { readonly spec?: unknown }).spec };
      };
      return previous === undefined || jsonEqual(fields(object), fields(previous))
        ? undefined
        : 'a status write changed the spec or the metadata';
    },
  }),
};
