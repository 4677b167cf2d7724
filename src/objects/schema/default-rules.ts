import { jsonEqual } from '../equal.ts';
import { type FieldError, forbidden, invalid } from '../field-error.ts';
import { isObjectMetaField } from './child-schema.ts';
import { pruneValue } from './prune.ts';
import type { Schema } from './schema.ts';
import { validate } from './validate.ts';

/**
 * Defaults of a CRD must be valid and complete values of their own schema, and must not reach into what every object
 * has. (apiextensions-apiserver, pkg/apiserver/schema/defaulting/validation.go)
 */
export const defaultErrors = (schema: Schema, path: string): readonly FieldError[] => [
  ...(schema.default === undefined ? [] : ownErrors(schema, `${path}.default`)),
  ...(schema.items === undefined ? [] : defaultErrors(schema.items, `${path}.items`)),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    defaultErrors(property, `${path}.properties[${name}]`),
  ),
];

const ownErrors = (schema: Schema, path: string): readonly FieldError[] => {
  const pruned = pruneValue(schema, schema.default).value;
  return [
    ...(jsonEqual(pruned, schema.default) ? [] : [invalid(path, schema.default, 'must not have unknown fields')]),
    ...validate(schema, schema.default, { under: path }),
  ];
};

/** Defaults in apiVersion, kind and metadata of the root are the server's business. */
export const metaDefaultErrors = (root: Schema, path: string): readonly FieldError[] =>
  Object.entries(root.properties ?? {})
    .filter(([name]) => isObjectMetaField(name))
    .flatMap(([name, property]) => defaultsBelow(property, `${path}.properties[${name}]`, name));

const defaultsBelow = (schema: Schema, path: string, field: string): readonly FieldError[] => [
  ...(schema.default === undefined ? [] : [forbidden(`${path}.default`, `must not be set in top-level ${field}`)]),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    defaultsBelow(property, `${path}.properties[${name}]`, field),
  ),
];
