import type { MergeField, MergeSchema, MergeStrategy } from '../patch/merge-schema.ts';
import { memberSchema } from './child-schema.ts';
import type { Schema } from './schema.ts';

/** What a strategic merge must know of a built-in type: the strategies and merge keys its schema declares. */
export const mergeSchemaOf = (schema: Schema): MergeSchema => ({
  field: (name) => {
    const inner = memberSchema(schema, name);
    return inner === undefined ? undefined : fieldOf(inner);
  },
});

const fields = new WeakMap<Schema, MergeField>();

const fieldOf = (schema: Schema): MergeField => {
  const known = fields.get(schema);
  if (known !== undefined) return known;
  const field: MergeField = {
    strategies: strategiesOf(schema['x-kubernetes-patch-strategy']),
    mergeKey: schema['x-kubernetes-patch-merge-key'],
    schema: mergeSchemaOf(schema.items ?? schema),
  };
  fields.set(schema, field);
  return field;
};

const strategiesOf = (text: string | undefined): readonly MergeStrategy[] =>
  (text ?? '')
    .split(',')
    .filter((word): word is MergeStrategy => word === 'merge' || word === 'replace' || word === 'retainKeys');
