import type { ObjectMeta } from '../../../objects/index.ts';
import { type FieldError, forbiddenField, invalidValue, required } from '../field-error.ts';
import { checkAnnotations, checkLabelKey, checkLabels } from './labels.ts';
import { checkName, type NameRule } from './names.ts';

/** Errors in the metadata of a new object (validation.ValidateObjectMeta). */
export const checkNewMetadata = (metadata: ObjectMeta, rule: NameRule): readonly FieldError[] => [
  ...(metadata.generateName ? checkGenerateName(rule, metadata.generateName) : []),
  ...(metadata.name ? checkName(rule, metadata.name, 'metadata.name') : [nameRequired]),
  ...checkCommon(metadata),
  ...checkFinalizers(metadata.finalizers),
];

const nameRequired = required('metadata.name', 'name or generateName is required');

// A prefix may end in what a name may not, so a letter is put behind it (validation.maskTrailingDash).
const checkGenerateName = (rule: NameRule, prefix: string): readonly FieldError[] =>
  checkName(rule, prefix.replace(/[-.]$/, 'a'), 'metadata.generateName').map((error) => ({
    ...error,
    message: error.message.replace(JSON.stringify(prefix.replace(/[-.]$/, 'a')), JSON.stringify(prefix)),
  }));

/** Errors in the metadata of a changed object (validation.ValidateObjectMetaUpdate). */
export const checkChangedMetadata = (next: ObjectMeta, previous: ObjectMeta): readonly FieldError[] => [
  ...(previous.deletionTimestamp === undefined ? [] : checkNoNewFinalizers(next, previous)),
  ...((next.generation ?? 0) < (previous.generation ?? 0)
    ? [invalidValue('metadata.generation', next.generation ?? 0, 'must not be decremented')]
    : []),
  ...immutableFields.flatMap((field) =>
    next[field] === previous[field]
      ? []
      : [invalidValue(`metadata.${field}`, next[field] ?? null, 'field is immutable')],
  ),
  ...checkCommon(next),
];

const immutableFields = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

const checkCommon = (metadata: ObjectMeta): readonly FieldError[] => [
  ...checkLabels(metadata.labels, 'metadata.labels'),
  ...checkAnnotations(metadata.annotations, 'metadata.annotations'),
  ...checkOwners(metadata),
];

const checkOwners = (metadata: ObjectMeta): readonly FieldError[] => {
  const owners = metadata.ownerReferences ?? [];
  const errors = owners.flatMap((owner, index) => {
    const at = `metadata.ownerReferences[${index}]`;
    return [
      ...(owner.apiVersion ? [] : [invalidValue(`${at}.apiVersion`, '', 'version must not be empty')]),
      ...(owner.kind ? [] : [invalidValue(`${at}.kind`, '', 'must not be empty')]),
      ...(owner.name ? [] : [invalidValue(`${at}.name`, '', 'must not be empty')]),
      ...(owner.uid ? [] : [invalidValue(`${at}.uid`, '', 'must not be empty')]),
    ];
  });
  const controllers = owners.filter((owner) => owner.controller === true);
  const [first, second] = controllers;
  if (first === undefined || second === undefined) return errors;
  const detail = `Only one reference can have Controller set to true. Found "true" in references for ${first.kind}/${first.name} and ${second.kind}/${second.name}`;
  return [...errors, invalidValue('metadata.ownerReferences', null, detail)];
};

const checkFinalizers = (finalizers: readonly string[] | undefined): readonly FieldError[] => {
  const names = finalizers ?? [];
  const errors = names.flatMap((name) => checkLabelKey(name, 'metadata.finalizers'));
  return names.includes('orphan') && names.includes('foregroundDeletion')
    ? [
        ...errors,
        invalidValue('metadata.finalizers', names, 'finalizer orphan and foregroundDeletion cannot be both set'),
      ]
    : errors;
};

const checkNoNewFinalizers = (next: ObjectMeta, previous: ObjectMeta): readonly FieldError[] => {
  const known = new Set(previous.finalizers);
  const added = [...new Set(next.finalizers)].filter((name) => !known.has(name)).sort();
  if (added.length === 0) return [];
  const list = added.map((name) => JSON.stringify(name)).join(', ');
  return [
    forbiddenField(
      'metadata.finalizers',
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    ),
  ];
};
