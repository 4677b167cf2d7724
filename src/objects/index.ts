export { clone, type Mutable } from './clone.ts';
export { deepFreeze } from './deep-freeze.ts';
export { jsonEqual } from './equal.ts';
export {
  describeFieldError,
  duplicate,
  type FieldError,
  type FieldErrorReason,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from './field-error.ts';
export { fnv1, safeEncode } from './fnv.ts';
export { stringifyAsGo } from './go-json.ts';
export {
  defaultPullPolicy,
  type ImageReference,
  namesSameImage,
  normaliseImage,
  parseImageReference,
} from './image-reference.ts';
export { IntOrPercentError, resolveIntOrPercent } from './int-or-percent.ts';
export type * from './kubernetes.gen.ts';
export {
  compileLabelSelector,
  type LabelPredicate,
  type Labels,
  type Requirement,
  SelectorError,
} from './label-selector.ts';
export { labelKeyErrors, labelValueErrors } from './label-syntax.ts';
export { podTemplateMeaning } from './meaning/pod-template-meaning.ts';
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
export { compileSelectorText } from './parse-label-selector.ts';
export { applyJsonPatch, type JsonPatchOperation, parseJsonPatch } from './patch/json-patch.ts';
export { applyMergePatch, diffMergePatch } from './patch/merge-patch.ts';
export type { MergeField, MergeSchema, MergeStrategy } from './patch/merge-schema.ts';
export { PatchError, type PatchProblem } from './patch/patch-error.ts';
export { applyStrategicMergePatch } from './patch/strategic-merge-patch.ts';
export {
  isPlainObject,
  mapItems,
  mapMember,
  member,
  type PlainObject,
  withMember,
  withoutMember,
} from './plain-object.ts';
export {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  multiplyQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  type QuantityFormat,
  quantitiesEqual,
} from './quantity.ts';
export {
  applyDefaults,
  builtinSchema,
  type CelOptions,
  celErrors,
  type ListTypeOptions,
  listTypeErrors,
  mergeSchemaOf,
  openApiSchemas,
  type Pruned,
  prune,
  type Schema,
  structuralErrors,
  type ValidateOptions,
  type ValidationRuleSchema,
  validate,
} from './schema/index.ts';
