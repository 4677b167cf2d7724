export { builtinSchema, openApiSchemas } from './builtin.ts';
export { applyDefaults } from './defaults.ts';
export { type Pruned, prune, unknownFieldMessage } from './prune.ts';
export type { Schema, ValidationRuleSchema } from './schema.ts';
