import { describeFieldError, type FieldError, forbidden } from '../field-error.ts';
import { defaultErrors, metaDefaultErrors } from './default-rules.ts';
import type { Schema } from './schema.ts';
import { hasForeignWords, schemaRuleErrors } from './schema-rules.ts';
import { completenessErrors } from './structural-completeness.ts';
import { invariantErrors } from './structural-invariants.ts';

/**
 * Why an API server would refuse a CRD for this schema; empty if it would not. Not checked: the estimated cost of CEL
 * rules and their types (a rule that names a field which does not exist fails when it is evaluated).
 *
 * @param path  of the schema in its CRD: `spec.validation.openAPIV3Schema` where there is one version, else
 *              `spec.versions[0].schema.openAPIV3Schema`
 */
export const structuralErrors = (schema: Schema, path: string): readonly FieldError[] => {
  const foreign = hasForeignWords(schema);
  const structure = foreign
    ? []
    : [...invariantErrors(schema, path, 'root'), ...completenessErrors(schema, path)].sort(byText);
  return [
    ...(schema.nullable ? [forbidden(`${path}.nullable`, 'nullable cannot be true at the root')] : []),
    ...(structure.length > 0 || foreign ? structure : defaultErrors(schema, path)),
    ...metaDefaultErrors(schema, path),
    ...schemaRuleErrors(schema, path),
  ];
};

const byText = (a: FieldError, b: FieldError): number => (describeFieldError(a) < describeFieldError(b) ? -1 : 1);
