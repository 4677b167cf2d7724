import type { Json } from '../../src/objects/index.ts';
import type { Schema } from '../../src/objects/schema/schema.ts';
import type { OpenApiSchema, SchemaSet } from './schema-set.ts';
import { serverDefaults } from './server-defaults.ts';

/**
 * The recorded schemas, small: an `allOf` with one reference becomes the reference, the zero values of Go that the
 * recording shows as defaults go (no server writes them), and the defaults that the server sets by code are added.
 */
export const builtinSchemas = (set: SchemaSet): Readonly<Record<string, Schema>> => {
  const stray = Object.keys(serverDefaults).find((name) => set.schemas[name] === undefined);
  if (stray !== undefined) throw new Error(`defaults for ${stray}, which is not in the set`);
  return Object.fromEntries(Object.entries(set.schemas).map(([name, schema]) => [name, compact(schema, name)]));
};

/** Types whose JSON is free, which their OpenAPI schema (`type: object`, or nothing) does not tell from an empty object. */
const freeForm = [
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
  'io.k8s.apimachinery.pkg.runtime.RawExtension',
  ...['JSON', 'JSONSchemaPropsOrArray', 'JSONSchemaPropsOrBool', 'JSONSchemaPropsOrStringArray'].map(
    (type) => `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.${type}`,
  ),
];

const compact = (schema: OpenApiSchema, name?: string): Schema => {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (ref !== undefined) return { $ref: ref };
  const { properties, items, additionalProperties, default: _, 'x-kubernetes-unions': __, ...rest } = schema;
  const byCode = name === undefined ? {} : (serverDefaults[name] ?? {});
  const property = ([field, value]: [string, OpenApiSchema]): [string, Schema] => {
    const declared = schema.required?.includes(field) || isZero(value.default) ? undefined : value.default;
    const filledIn = byCode[field] ?? declared;
    return [field, { ...compact(value), ...(filledIn === undefined ? {} : { default: filledIn }) }];
  };
  return {
    ...rest,
    ...(name !== undefined && freeForm.includes(name) && { 'x-kubernetes-preserve-unknown-fields': true }),
    ...(items && { items: compact(items) }),
    ...(additionalProperties && { additionalProperties: compact(additionalProperties) }),
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(property)) }),
  };
};

const isZero = (value: Json | undefined): boolean =>
  !value || (typeof value === 'object' && Object.keys(value).length === 0);
