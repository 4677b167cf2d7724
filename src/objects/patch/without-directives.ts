import { isPlainObject, member } from '../plain-object.ts';

/**
 * A part of a strategic merge patch as a plain value, where it meets nothing it could be merged with: directives and
 * nulls go. Undefined for an object that is itself a directive (`$patch`): it only says what to do with something that
 * is not there.
 */
export const withoutDirectives = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isPlainObject(value)) return value;
  if (member(value, '$patch') !== undefined) return undefined;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !isDirective(key) && item !== null)
      .map(([key, item]) => [key, withoutDirectives(item)] as const)
      .filter(([, item]) => item !== undefined),
  );
};

const isDirective = (key: string): boolean =>
  key === '$retainKeys' || key.startsWith('$setElementOrder/') || key.startsWith('$deleteFromPrimitiveList/');
