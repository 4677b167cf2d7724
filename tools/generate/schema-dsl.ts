import type { Schema, ValidationRuleSchema } from '../../src/objects/schema/schema.ts';

// Words to write a structural schema with: each makes one node, options go into it as they are.

type Options = Omit<Schema, 'type' | 'properties' | 'items'>;

export const string = (description: string, options: Options = {}): Schema => ({
  description,
  type: 'string',
  ...options,
});

export const boolean = (description: string): Schema => ({ description, type: 'boolean' });

export const int32 = (description: string, options: Options = {}): Schema => ({
  description,
  type: 'integer',
  format: 'int32',
  ...options,
});

export const int64 = (description: string, options: Options = {}): Schema => ({
  description,
  type: 'integer',
  format: 'int64',
  ...options,
});

export const oneOf = (description: string, values: readonly string[], options: Options = {}): Schema => ({
  description,
  type: 'string',
  enum: values,
  ...options,
});

/** A count or a percentage. */
export const intOrPercent = (description: string, options: Options = {}): Schema => ({
  description,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
  ...options,
});

export const list = (description: string, items: Schema, options: Options = {}): Schema => ({
  description,
  type: 'array',
  items,
  ...options,
});

export const mapOf = (description: string, values: Schema, options: Options = {}): Schema => ({
  description,
  type: 'object',
  additionalProperties: values,
  ...options,
});

/** An object; a property whose name ends with `!` is required. */
export const object = (
  description: string,
  fields: Readonly<Record<string, Schema>>,
  options: Options = {},
): Schema => {
  const required = Object.keys(fields).flatMap((name) => (name.endsWith('!') ? [name.slice(0, -1)] : []));
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name.replace(/!$/, ''), schema]),
  );
  return { description, type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options };
};

/** Any JSON, kept as it is. */
export const anything = (description: string): Schema => ({
  description,
  'x-kubernetes-preserve-unknown-fields': true,
});

export const rule = (expression: string, message: string): Pick<Schema, 'x-kubernetes-validations'> => {
  const validation: ValidationRuleSchema = { rule: expression, message };
  return { 'x-kubernetes-validations': [validation] };
};
