import { jsonEqual } from '../equal.ts';
import type { FieldError } from '../field-error.ts';
import { notInEnum, textTooLong, unfit, wrongFormat } from './finding.ts';
import { hasFormat } from './formats.ts';
import { patternOf } from './pattern.ts';
import type { Schema } from './schema.ts';

/** Length (in characters, not bytes), pattern and format of a string; the first of length and pattern that fails. */
export const stringErrors = (schema: Schema, value: string, path: string): readonly FieldError[] => {
  const shape = shapeError(schema, value, path);
  const misfit = schema.format !== undefined && !hasFormat(schema.format, value);
  return [...(shape === undefined ? [] : [shape]), ...(misfit ? [wrongFormat(path, schema.format ?? '', value)] : [])];
};

const shapeError = (schema: Schema, value: string, path: string): FieldError | undefined => {
  const { maxLength, minLength, pattern } = schema;
  if (maxLength !== undefined && lengthOf(value) > maxLength) return textTooLong(path, maxLength);
  if (minLength !== undefined && lengthOf(value) < minLength) {
    return unfit(path, value, `should be at least ${minLength} chars long`);
  }
  if (patternOf(schema)?.test(value) === false) return unfit(path, value, `should match '${pattern}'`);
  return undefined;
};

const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};

/** Bounds and steps of a number. The formats int32 and int64 are not checked, as on the server. */
export const numberErrors = (schema: Schema, value: number, path: string): readonly FieldError[] => {
  const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const errors: FieldError[] = [];
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) {
    errors.push(unfit(path, value, `should be a multiple of ${multipleOf}`));
  }
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    errors.push(unfit(path, value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`));
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    errors.push(unfit(path, value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`));
  }
  return errors;
};

/** Whether the value is one of those listed. */
export const enumErrors = (schema: Schema, value: unknown, path: string): readonly FieldError[] =>
  schema.enum === undefined || schema.enum.length === 0 || schema.enum.some((allowed) => jsonEqual(allowed, value))
    ? []
    : [notInEnum(path, value, schema.enum)];
