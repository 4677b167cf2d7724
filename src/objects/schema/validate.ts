import { jsonEqual } from '../equal.ts';
import type { FieldError } from '../field-error.ts';
import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { additionalSchema, propertySchema } from './child-schema.ts';
import { type Before, itemBefore, memberBefore } from './correlate.ts';
import { missing, tooManyEntries, unfit, wrongType } from './finding.ts';
import { junctorErrors } from './junctors.ts';
import { enumErrors, numberErrors, stringErrors } from './scalar-checks.ts';
import type { Schema } from './schema.ts';

export interface ValidateOptions {
  /**
   * Where the value stands, for the fields of errors: `status` when a status is checked by itself. As on the server, the
   * text of an error then names the path from there only.
   */
  readonly under?: string | undefined;
  /**
   * The value before an update. What was wrong before and is left as it was is not held against the update
   * ("ratcheting", since Kubernetes 1.30).
   */
  readonly before?: Before;
}

/**
 * Everything about the value that the schema does not allow, in the words of the API server. List types and CEL rules
 * have their own functions, since the server looks at them after this. Members that the schema does not know are legal
 * here: they were pruned before.
 */
export const validate = (schema: Schema, value: unknown, options: ValidateOptions = {}): readonly FieldError[] => {
  const errors = unique(validateNode(schema, value, { path: '', before: options.before }));
  const { under } = options;
  if (under === undefined) return errors;
  return errors.map((error) => ({ ...error, field: error.field === '<nil>' ? under : `${under}.${error.field}` }));
};

interface Place {
  readonly path: string;
  readonly before: Before;
}

const validateNode = (schema: Schema, value: unknown, place: Place): readonly FieldError[] => {
  const errors = findings(schema, value, place);
  return errors.length > 0 && place.before !== undefined && jsonEqual(place.before, value) ? none : errors;
};

const none: readonly FieldError[] = [];

const findings = (schema: Schema, value: unknown, place: Place): readonly FieldError[] => {
  const { path } = place;
  const errors: FieldError[] = [];
  const typeError = checkType(schema, value, path);
  if (typeError !== undefined) errors.push(typeError);
  if (value !== null) {
    if (hasJunctors(schema)) {
      const check = (alternative: Schema): readonly FieldError[] =>
        validateNode(alternative, value, { path, before: undefined });
      errors.push(...junctorErrors(schema, path, check));
    }
    if (typeof value === 'string') errors.push(...stringErrors(schema, value, path));
    else if (typeof value === 'number') errors.push(...numberErrors(schema, value, path));
    else if (Array.isArray(value)) errors.push(...listErrors(schema, value, place));
  }
  if (schema.enum !== undefined && !(value === null && schema.nullable))
    errors.push(...enumErrors(schema, value, path));
  if (isPlainObject(value)) errors.push(...objectErrors(schema, value, place));
  return errors;
};

/** Most members of most objects: a string of which the schema asks nothing more. */
const isPlainText = (schema: Schema, value: unknown): boolean =>
  typeof value === 'string' &&
  schema.type === 'string' &&
  schema.enum === undefined &&
  schema.pattern === undefined &&
  schema.format === undefined &&
  schema.maxLength === undefined &&
  schema.minLength === undefined &&
  !hasJunctors(schema);

const hasJunctors = (schema: Schema): boolean =>
  schema.anyOf !== undefined || schema.allOf !== undefined || schema.oneOf !== undefined || schema.not !== undefined;

const checkType = (schema: Schema, value: unknown, path: string): FieldError | undefined => {
  const actual = typeOf(value);
  if (value === null) {
    if (schema.nullable === true) return undefined;
    if (schema['x-kubernetes-int-or-string']) return wrongType(path, 'integer,string', actual);
    return schema.type === undefined ? undefined : wrongType(path, schema.type, actual);
  }
  if (schema['x-kubernetes-int-or-string']) {
    return actual === 'integer' || actual === 'string' ? undefined : wrongType(path, 'integer,string', actual);
  }
  if (schema.type === undefined || schema.type === actual) return undefined;
  if (schema.type === 'number' && actual === 'integer') return undefined;
  return wrongType(path, schema.type, actual);
};

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  // The server holds integers in 64 bits; what is larger arrives as a floating-point number.
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'integer' : 'number';
  return typeof value;
};

const listErrors = (schema: Schema, list: readonly unknown[], place: Place): readonly FieldError[] => {
  const { path, before } = place;
  const { items, minItems, maxItems } = schema;
  const errors: FieldError[] = [];
  if (items !== undefined) {
    list.forEach((item, index) => {
      errors.push(
        ...validateNode(items, item, { path: `${path}[${index}]`, before: itemBefore(schema, before, item) }),
      );
    });
  }
  if (minItems !== undefined && list.length < minItems) {
    errors.push(unfit(path, list.length, `should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && list.length > maxItems) errors.push(tooManyEntries(path, list.length, maxItems));
  if (schema.uniqueItems && list.some((item, index) => list.slice(0, index).some((other) => jsonEqual(item, other)))) {
    errors.push(unfit(path, '', "shouldn't contain duplicates"));
  }
  return errors;
};

const objectErrors = (schema: Schema, object: PlainObject, { path, before }: Place): readonly FieldError[] => {
  const { minProperties, maxProperties, required } = schema;
  const errors: FieldError[] = [];
  const names = Object.keys(object);
  if (minProperties !== undefined && names.length < minProperties) {
    errors.push(unfit(path, names.length, `should have at least ${minProperties} properties`));
  }
  if (maxProperties !== undefined && names.length > maxProperties) {
    errors.push(tooManyEntries(path, names.length, maxProperties));
  }
  const others = additionalSchema(schema);
  if (schema.properties !== undefined || others !== undefined) {
    // By name, so that the same object gets the same message every time; a real server goes by chance.
    for (const name of names.sort()) {
      const inner = propertySchema(schema, name) ?? others;
      if (inner === undefined || isPlainText(inner, object[name])) continue;
      const place = { path: path === '' ? name : `${path}.${name}`, before: memberBefore(before, name) };
      const found = validateNode(inner, object[name], place);
      if (found.length > 0) errors.push(...found);
    }
  }
  for (const name of required ?? []) if (!Object.hasOwn(object, name)) errors.push(missing(path, name));
  return errors;
};

/** Two ways to the same finding (by anyOf and type, say) count once, as in kube-openapi. */
const unique = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.length < 2
    ? errors
    : [...new Map(errors.map((error) => [`${error.field}: ${error.message}`, error])).values()];
