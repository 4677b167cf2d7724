import { isPlainObject, member } from '../plain-object.ts';

/**
 * A part of a strategic merge patch as a plain value, where it meets nothing it could be merged with: directives and
 * nulls go, and so do list items that only say what to delete.
 */
export const withoutDirectives = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.filter((item) => !isPlainObject(item) || !isDirectiveItem(item)).map(withoutDirectives);
  }
  if (!isPlainObject(value)) return value;
  if (member(value, '$patch') === 'delete') return {};
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !isDirective(key) && item !== null && item !== undefined)
      .map(([key, item]) => [key, withoutDirectives(item)]),
  );
};

const isDirectiveItem = (item: { readonly [key: string]: unknown }): boolean => {
  const directive = member(item, '$patch');
  return directive === 'delete' || (directive === 'replace' && Object.keys(item).length === 1);
};

const isDirective = (key: string): boolean =>
  key === '$patch' ||
  key === '$retainKeys' ||
  key.startsWith('$setElementOrder/') ||
  key.startsWith('$deleteFromPrimitiveList/');
