import { type FieldError, forbidden, invalid, required } from '../field-error.ts';
import { isObjectMetaField } from './child-schema.ts';
import { compilePattern } from './pattern.ts';
import type { Schema } from './schema.ts';

type Level = 'root' | 'item' | 'field';

/** What keeps a schema from being structural (apiextensions-apiserver, pkg/apiserver/schema/validation.go). */
export const invariantErrors = (schema: Schema, path: string, level: Level): readonly FieldError[] => [
  ...(schema.type === 'array' && schema.items === undefined ? [required(`${path}.items`, 'must be specified')] : []),
  ...(schema.items === undefined ? [] : invariantErrors(schema.items, `${path}.items`, 'item')),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    invariantErrors(property, `${path}.properties[${name}]`, 'field'),
  ),
  ...additionalErrors(schema, path, level),
  ...extensionErrors(schema, path),
  ...valueErrors(schema, path, isIntOrStringPattern(schema)),
  ...typeErrors(schema, path, level),
  ...metaErrors(schema, path, level),
];

const additionalErrors = (schema: Schema, path: string, level: Level): readonly FieldError[] => {
  const { additionalProperties: additional } = schema;
  if (additional === undefined || additional === false) return [];
  const at = `${path}.additionalProperties`;
  return [
    ...(level === 'root' ? [forbidden(at, 'must not be used at the root')] : []),
    ...(typeof additional === 'object' ? invariantErrors(additional, at, 'field') : []),
    ...(schema['x-kubernetes-embedded-resource']
      ? [forbidden(at, 'must not be used if x-kubernetes-embedded-resource is set')]
      : []),
  ];
};

const extensionErrors = (schema: Schema, path: string): readonly FieldError[] =>
  schema['x-kubernetes-int-or-string'] === true
    ? (['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const)
        .filter((extension) => schema[extension] === true)
        .map((extension) =>
          invalid(`${path}.${extension}`, true, 'must be false if x-kubernetes-int-or-string is true'),
        )
    : [];

const typeErrors = (schema: Schema, path: string, level: Level): readonly FieldError[] => {
  const at = `${path}.type`;
  const { type = '' } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  if (embedded && type !== 'object') {
    const rule = 'must be object if x-kubernetes-embedded-resource is true';
    return [type === '' ? required(at, rule) : invalid(at, type, rule)];
  }
  if (type === '' && !schema['x-kubernetes-int-or-string'] && !schema['x-kubernetes-preserve-unknown-fields']) {
    return [required(at, emptyType[level])];
  }
  return level === 'root' && type !== '' && type !== 'object' ? [invalid(at, type, 'must be object at the root')] : [];
};

const emptyType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

const metaErrors = (schema: Schema, path: string, level: Level): readonly FieldError[] => {
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const { properties = {} } = schema;
  if (level !== 'root' && !embedded) return [];
  const errors = Object.entries(properties)
    .filter(([name]) => isObjectMetaField(name))
    .flatMap(([name, property]): readonly FieldError[] => {
      const at = `${path}.properties[${name}]`;
      const type = name === 'metadata' ? 'object' : 'string';
      return [
        ...(property.type === type ? [] : [invalid(`${at}.type`, property.type ?? '', `must be ${type}`)]),
        ...(level === 'root' && name === 'metadata' && saysMoreThanNames(property)
          ? [
              forbidden(
                at,
                'must not specify anything other than name and generateName, but metadata is implicitly specified',
              ),
            ]
          : []),
      ];
    });
  return embedded && !schema['x-kubernetes-preserve-unknown-fields'] && Object.keys(properties).length === 0
    ? [
        ...errors,
        required(
          `${path}.properties`,
          'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
        ),
      ]
    : errors;
};

const saysMoreThanNames = ({ type: _, default: __, properties = {}, ...rest }: Schema): boolean =>
  Object.keys(rest).length > 0 || Object.keys(properties).some((name) => name !== 'name' && name !== 'generateName');

/** `anyOf: [{type: integer}, {type: string}]`, the one place where alternatives may name a type. */
const isIntOrStringPattern = ({ anyOf }: Schema): boolean =>
  JSON.stringify(anyOf) === '[{"type":"integer"},{"type":"string"}]';

const valueErrors = (schema: Schema, path: string, skipAnyOf: boolean): readonly FieldError[] => [
  ...(skipAnyOf ? [] : nestedList(schema.anyOf, `${path}.anyOf`)),
  ...(schema.allOf ?? []).flatMap((part, index) =>
    nestedErrors(part, `${path}.allOf[${index}]`, index === 0 && isIntOrStringPattern(part)),
  ),
  ...nestedList(schema.oneOf, `${path}.oneOf`),
  ...(schema.not === undefined ? [] : nestedErrors(schema.not, `${path}.not`)),
  ...patternErrors(schema, path),
];

const nestedList = (parts: readonly Schema[] | undefined, path: string): readonly FieldError[] =>
  (parts ?? []).flatMap((part, index) => nestedErrors(part, `${path}[${index}]`));

const patternErrors = (schema: Schema, path: string): readonly FieldError[] => {
  if (!schema.pattern) return [];
  try {
    compilePattern(schema.pattern);
    return [];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const detail = `must be a valid regular expression, but isn't: ${error.message}`;
    return [invalid(`${path}.pattern`, schema.pattern, detail)];
  }
};

const forbiddenInside = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
] as const;

/** Inside anyOf, allOf, oneOf and not, a schema only restricts values: it must not say what they are made of. */
const nestedErrors = (schema: Schema, path: string, skipAnyOf = false): readonly FieldError[] => [
  ...valueErrors(schema, path, skipAnyOf),
  ...(schema.items === undefined ? [] : nestedErrors(schema.items, `${path}.items`)),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    nestedErrors(property, `${path}.properties[${name}]`),
  ),
  ...forbiddenInside
    .filter(([field]) => schema[field] !== undefined && schema[field] !== false && schema[field] !== '')
    .map(([field, rule]) => forbidden(`${path}.${field}`, rule)),
  ...(schema.properties !== undefined && Object.hasOwn(schema.properties, 'metadata')
    ? [forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context')]
    : []),
];
