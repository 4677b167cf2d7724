import { builtinSchemasJson } from './builtin.gen.ts';
import type { Schema } from './schema.ts';

type Linking = { -readonly [Field in keyof Schema]: Schema[Field] };

/**
 * The schemas of the built-in kinds (API server 1.34) as an OpenAPI v3 document holds them: by name, with `$ref`.
 * A new copy with every call, about 100 kB.
 */
export const openApiSchemas = (): Readonly<Record<string, Schema>> => JSON.parse(builtinSchemasJson);

/**
 * The schema of a built-in type, for example `io.k8s.api.core.v1.Pod`, with every reference resolved to the schema
 * itself: types that are used twice are the same object, and JSONSchemaProps contains itself.
 * Throws a TypeError for a type that the embedded cluster does not know.
 */
export const builtinSchema = (name: string): Schema => {
  const schema = linked[name];
  if (schema === undefined) throw new TypeError(`no built-in schema ${name}`);
  return schema;
};

/** Replaces references in place, so that a schema that is reached twice is linked once, cycles included. */
const link = (table: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> => {
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref === undefined) {
      linkInside(schema);
      return schema;
    }
    const { $ref, ...beside } = schema;
    const found = table[$ref.slice($ref.lastIndexOf('/') + 1)];
    if (found === undefined) throw new TypeError(`no built-in schema ${$ref}`);
    // A default may stand beside the reference. The copy shares the properties, which are linked in their own turn.
    return Object.keys(beside).length === 0 ? found : { ...found, ...beside };
  };
  const linkInside = (schema: Linking): void => {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      (schema.properties as Record<string, Schema>)[name] = resolve(property);
    }
    if (schema.items !== undefined) schema.items = resolve(schema.items);
    if (typeof schema.additionalProperties === 'object') {
      schema.additionalProperties = resolve(schema.additionalProperties);
    }
  };
  for (const schema of Object.values(table)) linkInside(schema);
  return table;
};

const linked = link(openApiSchemas());
