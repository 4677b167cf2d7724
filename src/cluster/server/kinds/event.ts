import type { StoredObject } from '../../server-types.ts';
import { type FieldError, invalidValue, required } from '../field-error.ts';
import { readersOf, record, valueAt } from './fields.ts';
import type { Kind } from './kind.ts';
import { checkLabelKey } from './labels.ts';
import { withoutUndefined } from './metadata.ts';
import { plain, type Strategy } from './strategy.ts';

/** Events of both groups, in the shape of the core group, in which they are stored. */
export const eventStrategy: Strategy = {
  ...plain,
  nameRule: 'subdomain',
  createOnUpdate: true,
  defaults: (event) => withGoZeros(event),
  validate: (event) => (isNewStyle(event) ? checkNewStyle(event) : checkOldStyle(event)),
  fields: {
    ...readersOf(
      'involvedObject.kind',
      'involvedObject.namespace',
      'involvedObject.name',
      'involvedObject.uid',
      'involvedObject.apiVersion',
      'involvedObject.resourceVersion',
      'involvedObject.fieldPath',
      'reason',
      'reportingComponent',
      'type',
    ),
    source: (event) => String(valueAt(event, 'source.component') ?? event['reportingComponent'] ?? ''),
  },
};

/** The type's fields without omitempty, which Go always writes. */
const withGoZeros = (event: StoredObject): StoredObject => ({
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
  ...event,
});

const isNewStyle = (event: StoredObject): boolean => typeof event['eventTime'] === 'string';

const strange = (namespace: string): FieldError =>
  invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace');

const objectNamespace = (event: StoredObject): string => String(record(event['involvedObject'])['namespace'] ?? '');

const checkOldStyle = (event: StoredObject): readonly FieldError[] => {
  const about = objectNamespace(event);
  const own = event.metadata.namespace ?? '';
  // Events of cluster-scoped objects live in the default namespace.
  return own === about || (about === '' && own === 'default') ? [] : [strange(about)];
};

const checkNewStyle = (event: StoredObject): readonly FieldError[] => {
  const about = objectNamespace(event);
  const own = event.metadata.namespace ?? '';
  const outside = about === '' && own !== 'default' && own !== 'kube-system';
  const { reportingComponent, message } = event;
  return [
    ...(outside ? [strange(about)] : []),
    ...(reportingComponent
      ? checkLabelKey(String(reportingComponent), 'reportingController')
      : [required('reportingController')]),
    ...['reportingInstance', 'action', 'reason'].flatMap((field) => checkShort(event, field)),
    ...(typeof message === 'string' && message.length > 1024
      ? [invalidValue('message', '', 'can have at most 1024 characters')]
      : []),
  ];
};

const checkShort = (event: StoredObject, field: string): readonly FieldError[] => {
  const value = String(event[field] ?? '');
  if (value === '') return [required(field)];
  return value.length > 128 ? [invalidValue(field, '', 'can have at most 128 characters')] : [];
};

/** Names of fields in events.k8s.io, and in the core group. */
const renamed = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
] as const;

/** How events.k8s.io shows what the core group stores. */
export const eventsConversion: NonNullable<Kind['conversion']> = {
  toStored: (event) => rename(event, renamed, 'v1'),
  toServed: (event) =>
    rename(
      event,
      renamed.map(([newer, core]) => [core, newer] as const),
      'events.k8s.io/v1',
    ),
};

const rename = (
  event: StoredObject,
  names: readonly (readonly [from: string, to: string])[],
  apiVersion: string,
): StoredObject => {
  const moved = Object.fromEntries(
    names.flatMap(([from, to]) => [
      [from, undefined],
      [to, event[from]],
    ]),
  );
  return withoutUndefined({ ...event, ...moved, apiVersion });
};
