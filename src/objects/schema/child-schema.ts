import type { Schema } from './schema.ts';

/** The schema of a declared property. */
export const propertySchema = (schema: Schema, name: string): Schema | undefined =>
  schema.properties !== undefined && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;

/** The schema that every undeclared member has, where there is one. */
export const additionalSchema = (schema: Schema): Schema | undefined =>
  typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;

/** The schema of a member: declared, or what holds for all others. */
export const memberSchema = (schema: Schema, name: string): Schema | undefined =>
  propertySchema(schema, name) ?? additionalSchema(schema);

/** Members that every API object has, whatever its schema says of them. */
export const isObjectMetaField = (name: string): boolean =>
  name === 'apiVersion' || name === 'kind' || name === 'metadata';
