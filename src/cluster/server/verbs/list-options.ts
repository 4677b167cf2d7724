import { compileSelectorText, SelectorError } from '../../../objects/index.ts';
import type { ServerRequest, StoredObject } from '../../server-types.ts';
import { type FieldError, forbiddenField, notSupported } from '../field-error.ts';
import { type ObjectMatcher, parseFieldSelector } from '../selectors/field-selector.ts';
import { badRequest, invalid } from '../status-error.ts';
import type { Target } from '../target.ts';
import { isTrue } from './write-options.ts';

/** Which objects a list or a watch is about. Throws 400 for selectors nobody can read. */
export const matcherOf = (target: Target, request: ServerRequest): ObjectMatcher => {
  const labels = request.query.get('labelSelector') ?? '';
  const fields = request.query.get('fieldSelector') ?? '';
  try {
    const byLabels = compileSelectorText(labels);
    const byFields = parseFieldSelector(target.kind, fields);
    const { namespace, name } = target;
    return (object: StoredObject) =>
      (namespace === undefined || object.metadata.namespace === namespace) &&
      (name === undefined || object.metadata.name === name) &&
      byLabels(object.metadata.labels) &&
      byFields(object);
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
};

export const hasSelector = (request: ServerRequest): boolean =>
  Boolean(request.query.get('labelSelector')) || Boolean(request.query.get('fieldSelector'));

/** Refuses combinations that make no sense, as apimachinery's ValidateListOptions does. */
export const checkListOptions = (request: ServerRequest): void => {
  const watch = isTrue(request, 'watch');
  const initial = request.query.get('sendInitialEvents');
  const match = request.query.get('resourceVersionMatch') ?? '';
  const version = request.query.get('resourceVersion') ?? '';
  const errors =
    watch && initial !== null
      ? checkInitialEvents(match)
      : [
          ...(watch && match !== ''
            ? [
                forbiddenField(
                  'resourceVersionMatch',
                  'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
                ),
              ]
            : []),
          ...(!watch && initial !== null
            ? [forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list')]
            : []),
          ...(!watch && match !== '' ? checkMatch(match, version, request.query.get('continue') ?? '') : []),
        ];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', name: 'ListOptions' }, '', errors);
};

const checkInitialEvents = (match: string): readonly FieldError[] => {
  if (match === 'NotOlderThan') return [];
  if (match !== '' && match !== 'Exact') return [notSupported('resourceVersionMatch', match, ['NotOlderThan'])];
  return [
    forbiddenField('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
  ];
};

const checkMatch = (match: string, version: string, next: string): readonly FieldError[] => {
  const field = 'resourceVersionMatch';
  if (version === '') {
    return [forbiddenField(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided')];
  }
  if (next !== '') return [forbiddenField(field, 'resourceVersionMatch is forbidden when continue is provided')];
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    return [notSupported(field, match, ['Exact', 'NotOlderThan', ''])];
  }
  return match === 'Exact' && version === '0'
    ? [forbiddenField(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')]
    : [];
};
