import type { Schema } from '../../src/objects/schema/schema.ts';
import type { OpenApiSchema, SchemaSet } from './schema-set.ts';

const strings: Schema = { type: 'object', additionalProperties: { type: 'string' } };
const intOrString: Schema = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };

/** Written by hand: types whose JSON is not what their OpenAPI schema says, or of which a template has only a part. */
const special: Readonly<Record<string, Schema>> = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': intOrString,
  'io.k8s.apimachinery.pkg.api.resource.Quantity': {
    ...intOrString,
    pattern:
      '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
  },
  // The claim template of an ephemeral volume may carry nothing else.
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': {
    type: 'object',
    properties: { annotations: strings, labels: strings },
  },
};

/** Lists that a ModelServing may hold duplicates in, as upstream allows them, though a Pod's schema has a key for them. */
const withoutKeys = ['hostAliases'];

const kept = [
  'type',
  'format',
  'required',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
] as const;

/**
 * A built-in type as a structural schema for a CRD: every reference written out, and only what an API server accepts.
 *
 * A default stays on a property that is not required, and never an empty object or on items (the server refuses the
 * rest). Enumerations go: the Pod API takes an empty string for absent, and newer servers know more values.
 * Throws for a list whose map key is neither required nor defaulted, which no API server accepts.
 */
export const structuralSchema = (set: SchemaSet, name: string): Schema => {
  const written = special[name];
  if (written !== undefined) return written;
  const schema = set.schemas[name];
  if (schema === undefined) throw new Error(`schema ${name} is referred to but not in the set`);
  return structuralNode(set, schema);
};

const structuralNode = (set: SchemaSet, schema: OpenApiSchema): Schema => {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (ref !== undefined) return structuralSchema(set, ref.replace('#/components/schemas/', ''));
  const node: Schema = {
    ...Object.fromEntries(kept.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]]))),
    ...(schema.items && { items: structuralNode(set, schema.items) }),
    ...(schema.additionalProperties && { additionalProperties: structuralNode(set, schema.additionalProperties) }),
    ...(schema.properties && { properties: structuralProperties(set, schema) }),
  };
  for (const key of node['x-kubernetes-list-map-keys'] ?? []) {
    if (!node.items?.required?.includes(key) && node.items?.properties?.[key]?.default === undefined) {
      throw new Error(`list-map key ${key} is neither required nor has it a default`);
    }
  }
  return node;
};

const structuralProperties = (set: SchemaSet, schema: OpenApiSchema): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const node = structuralNode(set, property);
      const isDefaulted = isRealDefault(property.default) && !schema.required?.includes(name);
      const { 'x-kubernetes-list-type': _type, 'x-kubernetes-list-map-keys': _keys, ...free } = node;
      return [
        name,
        { ...(withoutKeys.includes(name) ? free : node), ...(isDefaulted ? { default: property.default } : {}) },
      ];
    }),
  );

const isRealDefault = (value: OpenApiSchema['default']): boolean =>
  value !== undefined && !(typeof value === 'object' && value !== null && Object.keys(value).length === 0);
