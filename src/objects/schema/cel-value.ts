import { evaluate } from '@marcbachmann/cel-js';
import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { additionalSchema, isObjectMetaField, propertySchema } from './child-schema.ts';
import type { Schema } from './schema.ts';

/**
 * A value as CEL sees it: integers as 64-bit integers (a number of JavaScript would be a double), times and durations
 * as such, and of an object only the members its schema declares, under names that CEL can write.
 *
 * @param isObject  the value is an API object or embedded one: apiVersion, kind and the name in its metadata are there
 *                  although the schema does not declare them
 */
export const celValue = (schema: Schema | undefined, value: unknown, isObject = false): unknown => {
  if (Array.isArray(value)) return value.map((item) => celValue(schema?.items, item));
  if (isPlainObject(value)) return celObject(schema, value, isObject);
  if (typeof value === 'number') return isInteger(schema, value) ? BigInt(value) : value;
  return typeof value === 'string' ? celString(schema?.format, value) : value;
};

const isInteger = (schema: Schema | undefined, value: number): boolean =>
  Number.isInteger(value) && schema?.type !== 'number';

const celString = (format: string | undefined, value: string): unknown => {
  switch (format) {
    case 'date':
    case 'date-time':
      return new Date(Date.parse(value));
    case 'duration':
      return goDuration.test(value) ? evaluate('duration(text)', { text: value }) : value;
    case 'byte':
      return new Uint8Array(Buffer.from(value, 'base64'));
    default:
      return value;
  }
};

const goDuration = /^-?(\d+(\.\d+)?(ns|us|ms|s|m|h))+$/;

const celObject = (schema: Schema | undefined, object: PlainObject, isObject: boolean): PlainObject => {
  const others = schema && additionalSchema(schema);
  const free = schema === undefined || schema.additionalProperties === true || isFreeForm(schema);
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(object)) {
    const member = object[name];
    const property = schema && propertySchema(schema, name);
    if (isObject && isObjectMetaField(name)) {
      result[name] = name === 'metadata' ? nameOnly(member) : member;
    } else if (property !== undefined) {
      const written = escapeName(name);
      if (written === undefined) continue;
      result[written] = celValue(property, member, property['x-kubernetes-embedded-resource'] === true);
    } else if ((others !== undefined || free) && name !== '__proto__') {
      result[name] = celValue(others, member);
    }
  }
  return result;
};

/** Any JSON: neither a type nor properties. */
const isFreeForm = (schema: Schema): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true && schema.properties === undefined;

/** Of metadata, rules see what cannot be used to reach around ownership: the name. */
const nameOnly = (metadata: unknown): unknown =>
  isPlainObject(metadata)
    ? Object.fromEntries(Object.entries(metadata).filter(([name]) => name === 'name' || name === 'generateName'))
    : metadata;

/** A property's name as rules write it (apiserver, pkg/cel/escaping.go); undefined where no rule can name it. */
const escapeName = (name: string): string | undefined => {
  if (reserved.has(name)) return `__${name}__`;
  if (plainName.test(name)) return name;
  const written = name
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(written) ? written : undefined;
};

/** Most names; nothing in them needs another spelling. */
const plainName = /^[A-Za-z]+$/;

const reserved: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
