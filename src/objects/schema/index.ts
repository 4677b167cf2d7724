export { builtinSchema, openApiSchemas } from './builtin.ts';
export type { Schema, ValidationRuleSchema } from './schema.ts';
