import { type FieldError, invalid, notSupported, required, tooLong, tooMany, typeInvalid } from '../field-error.ts';

// What is wrong with a value at a path, in the words of kube-openapi (pkg/validation/errors), as the API server reports
// it for custom resources.

/** A path is empty at the root of the object. */
export const wrongType = (path: string, expected: string, actual: string): FieldError =>
  typeInvalid(at(path), actual, `${path} in body must be of type ${expected}: ${JSON.stringify(actual)}`);

export const wrongFormat = (path: string, format: string, value: string): FieldError =>
  typeInvalid(at(path), value, `${path} in body must be of type ${format}: ${JSON.stringify(value)}`);

export const missing = (path: string, name: string): FieldError => required(path === '' ? name : `${path}.${name}`);

export const notInEnum = (path: string, value: unknown, allowed: readonly unknown[]): FieldError =>
  notSupported(at(path), value, allowed);

export const textTooLong = (path: string, maximum: number): FieldError => tooLong(at(path), maximum);

export const tooManyEntries = (path: string, actual: number, maximum: number): FieldError =>
  tooMany(at(path), actual, maximum);

/** @param value  what is shown as the bad value: the text or number itself, or the size of a list or object */
export const unfit = (path: string, value: unknown, should: string): FieldError =>
  invalid(at(path), value, `${path} in body ${should}`);

/** A combination of schemas (anyOf, oneOf, allOf, not) does not hold. */
export const junctorFails = (path: string, must: string): FieldError =>
  invalid('<nil>', '', `${JSON.stringify(path)} must ${must}`);

const at = (path: string): string => (path === '' ? '<nil>' : path);
