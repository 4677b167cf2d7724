import { describeFieldError, type FieldError } from '../../objects/index.ts';
import type { StatusCause } from './status-error.ts';

// Field errors under names that do not clash with the answers of the same name in status-error.ts.
export {
  duplicate,
  type FieldError,
  forbidden as forbiddenField,
  invalid as invalidValue,
  notSupported,
  required,
  tooLong,
} from '../../objects/index.ts';

export const messageOf: (error: FieldError) => string = describeFieldError;

export const causeOf = ({ reason, message, field }: FieldError): StatusCause => ({ reason, message, field });

export const notFoundValue = (field: string, value: unknown): FieldError => ({
  reason: 'FieldValueNotFound',
  field,
  message: `Not found: ${JSON.stringify(value)}`,
});
