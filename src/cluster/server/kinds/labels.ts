import { labelKeyErrors, labelValueErrors } from '../../../objects/index.ts';
import { type FieldError, invalidValue, tooLong } from '../field-error.ts';

/** A qualified name: `name` or `prefix/name` (validation.IsQualifiedName). */
export const checkLabelKey = (key: string, field: string): readonly FieldError[] =>
  labelKeyErrors(key).map((detail) => invalidValue(field, key, detail));

export const checkLabels = (
  labels: Readonly<Record<string, string>> | undefined,
  field: string,
): readonly FieldError[] =>
  Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...checkLabelKey(key, field),
    ...labelValueErrors(value).map((detail) => invalidValue(field, value, detail)),
  ]);

/** All annotations together, keys and values, in bytes (TotalAnnotationSizeLimitB). */
const annotationLimit = 256 * 1024;

export const checkAnnotations = (
  annotations: Readonly<Record<string, string>> | undefined,
  field: string,
): readonly FieldError[] => {
  const entries = Object.entries(annotations ?? {});
  // The keys of annotations may have upper-case letters in their prefix, unlike those of labels.
  const errors = entries.flatMap(([key]) =>
    labelKeyErrors(key.toLowerCase()).map((detail) => invalidValue(field, key, detail)),
  );
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return size <= annotationLimit ? errors : [...errors, tooLong(field, annotationLimit)];
};
