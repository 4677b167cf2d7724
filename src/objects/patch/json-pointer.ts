import { PatchError } from './patch-error.ts';

/** `/metadata/labels/a~1b` as `['metadata', 'labels', 'a/b']` (RFC 6901). Throws a PatchError where it is malformed. */
export const parsePointer = (pointer: string): readonly string[] => {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) throw new PatchError('malformed', `JSON pointer '${pointer}' does not start with /`);
  return pointer.slice(1).split('/').map(unescapeSegment);
};

/** The inverse of `parsePointer`. */
export const formatPointer = (segments: readonly (string | number)[]): string =>
  segments.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const unescapeSegment = (segment: string): string => {
  if (/~(?![01])/.test(segment))
    throw new PatchError('malformed', `'~' in JSON pointer segment '${segment}' escapes nothing`);
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
};
