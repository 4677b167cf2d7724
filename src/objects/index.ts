export type * from './kubernetes.gen.ts';
export {
  controllerOf,
  isTerminating,
  type Json,
  type KubeObject,
  keyOf,
  nameOf,
  type ObjectRef,
  refOf,
  resourceVersionOf,
  uidOf,
} from './object.ts';
export { builtinSchema, openApiSchemas, type Schema, type ValidationRuleSchema } from './schema/index.ts';
