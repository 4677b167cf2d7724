/** The kinds of field errors (field.ErrorType of apimachinery); also the reasons of the causes in a Status. */
export type FieldErrorReason =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid';

/** One thing wrong with one field, in the words of the API server. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** `spec.containers[0].image`; `<nil>` where the error belongs to the whole object. */
  readonly field: string;
  /** Without the field: `Invalid value: "x": must be …`. */
  readonly message: string;
}

/** `spec.replicas: Invalid value: -1: must be …`, as error messages list it. */
export const describeFieldError = (error: FieldError): string => `${error.field}: ${error.message}`;

const withDetail = (head: string, detail: string | undefined): string => (detail ? `${head}: ${detail}` : head);

export const required = (field: string, detail?: string): FieldError => ({
  reason: 'FieldValueRequired',
  field,
  message: withDetail('Required value', detail),
});

export const forbidden = (field: string, detail: string): FieldError => ({
  reason: 'FieldValueForbidden',
  field,
  message: withDetail('Forbidden', detail),
});

export const invalid = (field: string, value: unknown, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: withDetail(`Invalid value: ${show(value)}`, detail),
});

export const typeInvalid = (field: string, value: unknown, detail: string): FieldError => ({
  reason: 'FieldValueTypeInvalid',
  field,
  message: withDetail(`Invalid value: ${show(value)}`, detail),
});

export const duplicate = (field: string, value: unknown): FieldError => ({
  reason: 'FieldValueDuplicate',
  field,
  message: `Duplicate value: ${show(value)}`,
});

/** @param supported  shown in the order given */
export const notSupported = (field: string, value: unknown, supported: readonly unknown[]): FieldError => {
  const values = supported.map((one) => JSON.stringify(typeof one === 'string' ? one : JSON.stringify(one)));
  return {
    reason: 'FieldValueNotSupported',
    field,
    message: withDetail(
      `Unsupported value: ${show(value)}`,
      values.length > 0 ? `supported values: ${values.join(', ')}` : undefined,
    ),
  };
};

/** The message says bytes even where the limit counts characters, as the server does. */
export const tooLong = (field: string, maximum: number): FieldError => ({
  reason: 'FieldValueTooLong',
  field,
  message: `Too long: may not be more than ${maximum} ${maximum === 1 ? 'byte' : 'bytes'}`,
});

export const tooMany = (field: string, actual: number, maximum: number): FieldError => ({
  reason: 'FieldValueTooMany',
  field,
  message: `Too many: ${actual}: must have at most ${maximum} ${maximum === 1 ? 'item' : 'items'}`,
});

/** As Go shows it: strings quoted, the rest as JSON, nothing as null. */
const show = (value: unknown): string => (value === undefined ? 'null' : JSON.stringify(value));
