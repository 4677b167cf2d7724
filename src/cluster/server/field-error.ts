import type { StatusCause } from './status-error.ts';

/** One thing wrong with one field (field.Error of apimachinery). */
export interface FieldError {
  readonly reason: string;
  readonly field: string;
  /** Without the field: `Invalid value: "x": must be …`. */
  readonly message: string;
}

export const messageOf = (error: FieldError): string => `${error.field}: ${error.message}`;

export const causeOf = (error: FieldError): StatusCause => ({
  reason: error.reason,
  message: error.message,
  field: error.field,
});

const make =
  (reason: string, what: string) =>
  (field: string, detail?: string): FieldError => ({ reason, field, message: detail ? `${what}: ${detail}` : what });

export const required: (field: string, detail?: string) => FieldError = make('FieldValueRequired', 'Required value');
export const forbiddenField: (field: string, detail?: string) => FieldError = make('FieldValueForbidden', 'Forbidden');

export const invalidValue = (field: string, value: unknown, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${show(value)}: ${detail}`,
});

export const duplicate = (field: string, value: unknown): FieldError => ({
  reason: 'FieldValueDuplicate',
  field,
  message: `Duplicate value: ${show(value)}`,
});

export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${show(value)}: supported values: ${supported.map((one) => `"${one}"`).join(', ')}`,
});

export const tooLong = (field: string, maximum: number): FieldError => ({
  reason: 'FieldValueTooLong',
  field,
  message: `Too long: may not be more than ${maximum} bytes`,
});

/** As Go shows it: strings quoted, the rest as JSON. */
const show = (value: unknown): string => (value === undefined ? 'null' : JSON.stringify(value));
