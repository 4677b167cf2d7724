import { jsonEqual } from '../../../objects/index.ts';
import type { StoredObject } from '../../server-types.ts';
import { type FieldError, forbiddenField, invalidValue, required } from '../field-error.ts';
import { readersOf, record } from './fields.ts';
import { withFields } from './metadata.ts';
import { plain, type Strategy } from './strategy.ts';

// Kinds of which little is special.

/** Contents that an object with `immutable: true` no longer changes (validation.ValidateConfigMapUpdate). */
const checkFrozen =
  (...fields: readonly string[]) =>
  (next: StoredObject, previous: StoredObject): readonly FieldError[] => {
    if (previous['immutable'] !== true) return [];
    return ['immutable', ...fields]
      .filter((field) => !jsonEqual(next[field], previous[field]))
      .map((field) => forbiddenField(field, 'field is immutable when `immutable` is set'));
  };

export const configMapStrategy: Strategy = { ...plain, validateUpdate: checkFrozen('data', 'binaryData') };

const checkSecretFrozen = checkFrozen('data', 'stringData');

export const secretStrategy: Strategy = {
  ...plain,
  defaults: (secret) => {
    const { stringData } = secret;
    if (stringData === undefined) return secret;
    const encoded = Object.entries(record(stringData)).map(([key, text]) => [
      key,
      Buffer.from(String(text)).toString('base64'),
    ]);
    return withFields(secret, {
      data: { ...record(secret['data']), ...Object.fromEntries(encoded) },
      stringData: undefined,
    });
  },
  validateUpdate: (next, previous) => [
    ...(next['type'] === previous['type'] ? [] : [invalidValue('type', next['type'], 'field is immutable')]),
    ...checkSecretFrozen(next, previous),
  ],
  fields: readersOf('type'),
};

/** A Node's first write brings its status along; after that it has a place of its own. */
export const nodeStrategy: Strategy = {
  ...plain,
  statusSubresource: true,
  createKeepsStatus: true,
  statusWritesMetadata: true,
  defaults: (node) => ({ spec: {}, status: {}, ...node }),
  fields: { 'spec.unschedulable': (node) => String(record(node['spec'])['unschedulable'] === true) },
};

export const leaseStrategy: Strategy = {
  ...plain,
  createOnUpdate: true,
  defaults: (lease) => ({ spec: {}, ...lease }),
  validate: (lease) => checkLease(lease),
  validateUpdate: (lease) => checkLease(lease),
};

const checkLease = (lease: StoredObject): readonly FieldError[] => {
  const { leaseDurationSeconds, leaseTransitions } = record(lease['spec']);
  return [
    ...(typeof leaseDurationSeconds === 'number' && leaseDurationSeconds <= 0
      ? [invalidValue('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0')]
      : []),
    ...(typeof leaseTransitions === 'number' && leaseTransitions < 0
      ? [invalidValue('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0')]
      : []),
  ];
};

export const endpointSliceStrategy: Strategy = {
  ...plain,
  generation: 'content',
  validate: (slice) => (slice['addressType'] ? [] : [required('addressType')]),
  validateUpdate: (next, previous) =>
    next['addressType'] === previous['addressType']
      ? []
      : [invalidValue('addressType', next['addressType'] ?? '', 'field is immutable')],
};

export const disruptionBudgetStrategy: Strategy = {
  ...plain,
  generation: 'spec',
  statusSubresource: true,
  statusWritesMetadata: true,
  prepareCreate: (budget) =>
    withFields(budget, { status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 } }),
  validate: (budget) => checkBudget(budget),
  validateUpdate: (budget) => checkBudget(budget),
};

const checkBudget = (budget: StoredObject): readonly FieldError[] => {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = record(budget['spec']);
  if (minAvailable === undefined || maxUnavailable === undefined) return [];
  // Shown as Go's internal type has it, which names its fields in Go's way.
  const shown = {
    MinAvailable: minAvailable,
    Selector: selector ?? null,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
  };
  return [invalidValue('spec', shown, 'minAvailable and maxUnavailable cannot be both set')];
};

/** Stored, so that charts install; whoever creates one is told that nobody is called. */
export const webhookConfigurationStrategy: Strategy = {
  ...plain,
  generation: 'content',
  warnings: () => ['the embedded cluster stores webhook configurations but calls no webhook'],
};
