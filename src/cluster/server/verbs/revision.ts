import type { ServerRequest } from '../../server-types.ts';
import type { Core } from '../core.ts';
import { invalidValue } from '../field-error.ts';
import { invalid, versionTooLarge } from '../status-error.ts';

/**
 * The `resourceVersion` of a read: undefined for "the newest", 0 for "any".
 *
 * @throws 504 for a version that is not there yet, 422 for a text that is no version
 */
export const revisionAsked = (core: Pick<Core, 'store'>, request: ServerRequest): number | undefined => {
  const revision = parseRevision(request);
  if (revision !== undefined && revision > core.store.revision()) {
    throw versionTooLarge(revision, core.store.revision());
  }
  return revision;
};

/** The same, without looking at what is stored. */
export const parseRevision = (request: ServerRequest): number | undefined => {
  const text = request.query.get('resourceVersion') ?? '';
  if (text === '') return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw invalid({ group: 'meta.k8s.io', name: 'ListOptions' }, '', [
    invalidValue('resourceVersion', text, `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`),
  ]);
};
