import { type FieldError, forbidden, invalid, notSupported, required } from '../field-error.ts';
import { compileRule } from './cel-rule.ts';
import { additionalSchema, propertySchema } from './child-schema.ts';
import type { Schema } from './schema.ts';

// Rules that a schema of a CRD must keep besides being structural
// (apiextensions-apiserver, pkg/apis/apiextensions/validation).

type Rule = (schema: Schema, path: string) => readonly FieldError[];

/** All breaches in the schema and below it. */
export const schemaRuleErrors = (schema: Schema, path: string): readonly FieldError[] => [
  ...rules.flatMap((rule) => rule(schema, path)),
  ...childrenOf(schema, path).flatMap(([child, at]) => schemaRuleErrors(child, at)),
];

const childrenOf = (schema: Schema, path: string): readonly (readonly [Schema, string])[] => {
  const others = additionalSchema(schema);
  return [
    ...(others === undefined ? [] : ([[others, `${path}.additionalProperties`]] as const)),
    ...Object.entries(schema.properties ?? {}).map(([name, child]) => [child, `${path}.properties[${name}]`] as const),
    ...(schema.not === undefined ? [] : ([[schema.not, `${path}.not`]] as const)),
    ...(['allOf', 'oneOf', 'anyOf'] as const).flatMap((word) =>
      (schema[word] ?? []).map((child, index) => [child, `${path}.${word}[${index}]`] as const),
    ),
    ...(schema.items === undefined ? [] : ([[schema.items, `${path}.items`]] as const)),
  ];
};

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

const knownType: Rule = ({ type }, path) =>
  type === undefined || type === '' || types.includes(type) ? [] : [notSupported(`${path}.type`, type, types)];

/** Words of JSON schema that CRDs must not use, and all but one of which our type of a schema does not have. */
const foreignWords = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

const noForeignWords: Rule = (schema, path) =>
  foreignWords
    .filter((word) => Object.hasOwn(schema, word))
    .map((word) => forbidden(`${path}.${word}`, `${word} is not supported`));

/** Whether the schema uses such a word anywhere: then nothing can be said about its structure. */
export const hasForeignWords = (schema: Schema): boolean =>
  foreignWords.some((word) => Object.hasOwn(schema, word)) ||
  childrenOf(schema, '').some(([child]) => hasForeignWords(child));

const noUniqueItems: Rule = (schema, path) =>
  schema.uniqueItems
    ? [
        forbidden(
          `${path}.uniqueItems`,
          'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
        ),
      ]
    : [];

const eitherStructOrMap: Rule = ({ properties = {}, additionalProperties }, path) =>
  Object.keys(properties).length > 0 && additionalProperties !== undefined && additionalProperties !== true
    ? [forbidden(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive')]
    : [];

const preserveIsTrue: Rule = (schema, path) =>
  schema['x-kubernetes-preserve-unknown-fields'] === false
    ? [invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined')]
    : [];

const mapType: Rule = (schema, path) => {
  const type = schema['x-kubernetes-map-type'];
  if (type === undefined) return [];
  return [
    ...typeMustBe('object', schema, { path, because: 'x-kubernetes-map-type is specified' }),
    ...(['atomic', 'granular'].includes(type)
      ? []
      : [notSupported(`${path}.x-kubernetes-map-type`, type, ['atomic', 'granular'])]),
  ];
};

const listType: Rule = (schema, path) => {
  const type = schema['x-kubernetes-list-type'];
  if (type === undefined) return [];
  const atomicOnly = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const { items } = schema;
  return [
    ...typeMustBe('array', schema, { path, because: 'x-kubernetes-list-type is specified' }),
    ...(type === 'set' && items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic'
      ? [invalid(`${path}.items.x-kubernetes-map-type`, items['x-kubernetes-list-type'], atomicOnly)]
      : []),
    ...(['atomic', 'set', 'map'].includes(type)
      ? []
      : [notSupported(`${path}.x-kubernetes-list-type`, type, ['atomic', 'set', 'map'])]),
    ...(type !== 'atomic' && items?.nullable
      ? [forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${type}`)]
      : []),
  ];
};

const typeMustBe = (
  wanted: string,
  schema: Schema,
  { path, because }: { readonly path: string; readonly because: string },
): readonly FieldError[] => {
  if (schema.type === wanted) return [];
  const detail = `must be ${wanted} if ${because}`;
  return [schema.type === undefined ? required(`${path}.type`, detail) : invalid(`${path}.type`, schema.type, detail)];
};

const mapKeys: Rule = (schema, path) => {
  const type = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const at = `${path}.x-kubernetes-list-map-keys`;
  const onlyForMaps = 'must be map if x-kubernetes-list-map-keys is non-empty';
  if (keys.length > 0 && type === undefined) return [required(`${path}.x-kubernetes-list-type`, onlyForMaps)];
  if (keys.length > 0 && type !== 'map') return [invalid(`${path}.x-kubernetes-list-type`, type, onlyForMaps)];
  if (type !== 'map') return [];
  if (keys.length === 0) return [required(at, 'must not be empty if x-kubernetes-list-type is map')];
  if (schema.items === undefined) {
    return [required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map')];
  }
  if (schema.items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [invalid(`${path}.items.type`, schema.items.type ?? '', detail)];
  }
  const { items } = schema;
  return [
    ...keys.flatMap((key) => mapKeyErrors(items, key, { path, keys })),
    ...keys
      .filter((key, index) => keys.indexOf(key) < index)
      .map(() => invalid(at, keys, 'must not contain duplicate entries')),
  ];
};

const mapKeyErrors = (
  items: Schema,
  key: string,
  { path, keys }: { readonly path: string; readonly keys: readonly string[] },
): readonly FieldError[] => {
  const property = propertySchema(items, key);
  const at = `${path}.items.properties[${key}]`;
  if (property === undefined) {
    return [invalid(`${path}.x-kubernetes-list-map-keys`, keys, 'entries must all be names of item properties')];
  }
  const listed = 'this property is in x-kubernetes-list-map-keys, so it';
  return [
    ...(property.type === 'array' || property.type === 'object'
      ? [invalid(`${at}.type`, items.type, "must be a scalar type if parent array's x-kubernetes-list-type is map")]
      : []),
    ...(items.required?.includes(key) || property.default !== undefined
      ? []
      : [required(`${at}.default`, `${listed} must have a default or be a required property`)]),
    ...(property.nullable ? [forbidden(`${at}.nullable`, `${listed} cannot be nullable`)] : []),
  ];
};

const celRules: Rule = (schema, path) =>
  (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
    const at = `${path}.x-kubernetes-validations[${index}]`;
    if (!rule.rule || rule.rule.trim() === '') return [required(`${at}.rule`, 'rule is not specified')];
    const compiled = compileRule(rule);
    return compiled.state === 'broken' ? [invalid(`${at}.rule`, rule, `compilation failed: ${compiled.problem}`)] : [];
  });

const rules: readonly Rule[] = [
  knownType,
  noForeignWords,
  noUniqueItems,
  eitherStructOrMap,
  preserveIsTrue,
  mapType,
  listType,
  mapKeys,
  celRules,
];
