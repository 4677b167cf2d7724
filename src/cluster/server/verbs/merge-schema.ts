import type { MergeField, MergeSchema, MergeStrategy, Schema } from '../../../objects/index.ts';

/** What a strategic merge must know, read from the schema of a built-in kind. */
export const mergeSchemaOf = (schema: Schema): MergeSchema => ({
  field: (name): MergeField | undefined => {
    const free = schema.additionalProperties;
    const field = schema.properties?.[name] ?? (typeof free === 'object' ? free : undefined);
    return field && fieldOf(field);
  },
});

const fieldOf = (field: Schema): MergeField => ({
  strategies: (field['x-kubernetes-patch-strategy'] ?? '').split(',').filter(isStrategy),
  mergeKey: field['x-kubernetes-patch-merge-key'],
  schema: field.items === undefined ? mergeSchemaOf(field) : mergeSchemaOf(field.items),
});

const isStrategy = (word: string): word is MergeStrategy =>
  word === 'merge' || word === 'replace' || word === 'retainKeys';
