import { type Schema, structuralErrors } from '../../../objects/index.ts';
import type { StoredObject } from '../../server-types.ts';
import { type FieldError, invalidValue, notSupported, required } from '../field-error.ts';
import { record, records } from '../kinds/fields.ts';
import { secondsTime, withFields } from '../kinds/metadata.ts';
import { type KindEnvironment, plain, type Strategy } from '../kinds/strategy.ts';

/**
 * CustomResourceDefinitions. A real server accepts the names a moment later, in a controller; here it happens in the
 * same write, so the kind is served as soon as the create is answered.
 */
export const crdStrategy: Strategy = {
  ...plain,
  generation: 'spec',
  statusSubresource: true,
  unconditionalUpdate: false,
  defaults: (crd) => withFields(crd, { spec: withNames(record(crd['spec'])) }),
  prepareCreate: (crd, environment) => withFields(crd, { status: acceptedStatus(crd, environment) }),
  prepareUpdate: (next, previous) => withFields(next, { status: storedStatus(next, previous) }),
  validate: (crd) => checkCrd(crd),
  validateUpdate: (next, previous) => [...checkCrd(next), ...checkImmutable(next, previous)],
};

const withNames = (spec: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const names = record(spec['names']);
  const kind = typeof names['kind'] === 'string' ? names['kind'] : '';
  return { ...spec, names: { singular: kind.toLowerCase(), listKind: `${kind}List`, ...names } };
};

const acceptedStatus = (crd: StoredObject, environment: KindEnvironment): unknown => {
  const spec = record(crd['spec']);
  const names = record(spec['names']);
  const rival = environment
    .list('apiextensions.k8s.io/customresourcedefinitions')
    .find((other) => other.metadata.name !== crd.metadata.name && clash(record(other['spec']), spec));
  const condition = (type: string, ok: boolean, reason: string, message: string): unknown => ({
    type,
    status: ok ? 'True' : 'False',
    lastTransitionTime: secondsTime(environment.nowMs),
    reason,
    message,
  });
  const free = rival === undefined;
  return {
    conditions: [
      free
        ? condition('NamesAccepted', true, 'NoConflicts', 'no conflicts found')
        : condition('NamesAccepted', false, 'KindConflict', `"${String(names['kind'])}" is already in use`),
      free
        ? condition('Established', true, 'InitialNamesAccepted', 'the initial names have been accepted')
        : condition('Established', false, 'NotAccepted', 'not all names are accepted'),
    ],
    acceptedNames: free ? names : { plural: '', kind: '' },
    storedVersions: storageVersions(spec),
  };
};

const clash = (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean =>
  a['group'] === b['group'] && record(a['names'])['kind'] === record(b['names'])['kind'];

// A version that was ever stored stays listed until someone migrates and removes it.
const storedStatus = (next: StoredObject, previous: StoredObject): unknown => {
  const status = record(previous['status']);
  const known = Array.isArray(status['storedVersions']) ? status['storedVersions'] : [];
  const added = storageVersions(record(next['spec'])).filter((name) => !known.includes(name));
  return { ...status, acceptedNames: record(next['spec'])['names'], storedVersions: [...known, ...added] };
};

const storageVersions = (spec: Readonly<Record<string, unknown>>): readonly unknown[] =>
  records(spec['versions'])
    .filter((version) => version['storage'] === true)
    .map((version) => version['name']);

const checkCrd = (crd: StoredObject): readonly FieldError[] => {
  const spec = record(crd['spec']);
  const names = record(spec['names']);
  const wanted = `${String(names['plural'] ?? '')}.${String(spec['group'] ?? '')}`;
  const storing = storageVersions(spec).length;
  return [
    ...(crd.metadata.name === wanted
      ? []
      : [invalidValue('metadata.name', crd.metadata.name ?? '', 'must be spec.names.plural+"."+spec.group')]),
    ...(spec['group'] ? [] : [required('spec.group')]),
    ...(spec['scope'] === 'Cluster' || spec['scope'] === 'Namespaced'
      ? []
      : [notSupported('spec.scope', spec['scope'] ?? '', ['Cluster', 'Namespaced'])]),
    ...(names['plural'] ? [] : [required('spec.names.plural')]),
    ...(names['kind'] ? [] : [required('spec.names.kind')]),
    ...(storing === 1
      ? []
      : [
          invalidValue(
            'spec.versions',
            spec['versions'] ?? [],
            'must have exactly one version marked as storage version',
          ),
        ]),
    ...records(spec['versions']).flatMap((version, index, { length }) =>
      checkVersion(version, length === 1 ? 'spec.validation' : `spec.versions[${index}].schema`),
    ),
  ];
};

// A single version's schema is looked at where the first API had its only one.
const checkVersion = (version: Readonly<Record<string, unknown>>, path: string): readonly FieldError[] => {
  const at = `${path}.openAPIV3Schema`;
  const schema = record(version['schema'])['openAPIV3Schema'];
  return schema === undefined ? [required(at, 'schemas are required')] : structuralErrors(schema as Schema, at);
};

const checkImmutable = (next: StoredObject, previous: StoredObject): readonly FieldError[] => {
  const fields = ['group', 'scope', 'names.plural', 'names.kind'];
  return fields.flatMap((field) => {
    const [now, before] = [next, previous].map((crd) => pick(record(crd['spec']), field));
    return now === before ? [] : [invalidValue(`spec.${field}`, now ?? '', 'field is immutable')];
  });
};

const pick = (spec: Readonly<Record<string, unknown>>, field: string): unknown =>
  field.split('.').reduce<unknown>((value, name) => record(value)[name], spec);
