import type { FieldError } from '../field-error.ts';
import { junctorFails } from './finding.ts';
import type { Schema } from './schema.ts';

/** anyOf, oneOf, allOf and not, with the findings of the alternative that the server shows: the first that fails. */
export const junctorErrors = (
  schema: Schema,
  path: string,
  check: (alternative: Schema) => readonly FieldError[],
): readonly FieldError[] => {
  const { anyOf } = schema;
  return [
    ...(anyOf === undefined ? [] : anyOfErrors(anyOf.map(check), path)),
    ...(schema.oneOf === undefined ? [] : oneOfErrors(schema.oneOf.map(check), path)),
    ...(schema.allOf === undefined ? [] : allOfErrors(schema.allOf.map(check), path)),
    ...(schema.not !== undefined && check(schema.not).length === 0
      ? [junctorFails(path, 'not validate the schema (not)')]
      : []),
  ];
};

type Outcomes = readonly (readonly FieldError[])[];

const anyOfErrors = (outcomes: Outcomes, path: string): readonly FieldError[] =>
  outcomes.some((errors) => errors.length === 0)
    ? []
    : [junctorFails(path, 'validate at least one schema (anyOf)'), ...(outcomes[0] ?? [])];

const oneOfErrors = (outcomes: Outcomes, path: string): readonly FieldError[] => {
  const valid = outcomes.filter((errors) => errors.length === 0).length;
  if (valid === 1) return [];
  const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`;
  return [
    junctorFails(path, `validate one and only one schema (oneOf). ${found}`),
    ...(valid === 0 ? (outcomes[0] ?? []) : []),
  ];
};

const allOfErrors = (outcomes: Outcomes, path: string): readonly FieldError[] => {
  const valid = outcomes.filter((errors) => errors.length === 0).length;
  if (valid === outcomes.length) return [];
  return [
    ...outcomes.flat(),
    junctorFails(path, `validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`),
  ];
};
