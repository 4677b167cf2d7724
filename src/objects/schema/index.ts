export { builtinSchema, openApiSchemas } from './builtin.ts';
export { type CelOptions, celErrors } from './cel-errors.ts';
export { applyDefaults } from './defaults.ts';
export { type ListTypeOptions, listTypeErrors } from './list-types.ts';
export { mergeSchemaOf } from './merge-schema-of.ts';
export { type Pruned, prune } from './prune.ts';
export type { Schema, ValidationRuleSchema } from './schema.ts';
export { structuralErrors } from './structural.ts';
export { type ValidateOptions, validate } from './validate.ts';
