import { SelectorError } from '../../../objects/index.ts';
import type { StoredObject } from '../../server-types.ts';
import { readersOf } from '../kinds/fields.ts';
import type { Kind } from '../kinds/kind.ts';
import type { FieldReader } from '../kinds/strategy.ts';

export type ObjectMatcher = (object: StoredObject) => boolean;

interface Term {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/**
 * Reads a field selector (`spec.nodeName=a,status.phase!=Running`) for a kind.
 *
 * @throws SelectorError for what cannot be read, and for a field this kind cannot be selected by
 */
export const parseFieldSelector = (kind: Kind, selector: string): ObjectMatcher => {
  const readers: Readonly<Record<string, FieldReader>> = { ...metadataFields(kind), ...kind.strategy.fields };
  const terms = split(selector).map((term) => parseTerm(selector, term));
  const checks = terms.map(({ field, equal, value }): ObjectMatcher => {
    const read = Object.hasOwn(readers, field) ? readers[field] : undefined;
    if (read === undefined) throw new SelectorError(unknownField(kind, field));
    return (object) => (read(object) === value) === equal;
  });
  return (object) => checks.every((check) => check(object));
};

/** The one name a field selector pins, if it does: `metadata.name=x`. */
const metadataFields = (kind: Kind): Readonly<Record<string, FieldReader>> =>
  kind.namespaced ? readersOf('metadata.name', 'metadata.namespace') : readersOf('metadata.name');

// Kinds with selectable fields of their own have a conversion function, and that one words it differently.
const unknownField = (kind: Kind, field: string): string =>
  Object.keys(kind.strategy.fields).length > 0 || kind.custom !== undefined
    ? `field label not supported: ${field}`
    : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`;

const split = (selector: string): readonly string[] => {
  const terms: string[] = [];
  let current = '';
  for (let at = 0; at < selector.length; at += 1) {
    const character = selector.charAt(at);
    if (character === '\\') {
      current += character + selector.charAt(at + 1);
      at += 1;
    } else if (character === ',') {
      terms.push(current);
      current = '';
    } else current += character;
  }
  return [...terms, current].filter((term) => term !== '');
};

const parseTerm = (selector: string, term: string): Term => {
  const match = /^([^=!]*)(!=|==|=)(.*)$/s.exec(term);
  if (match === null) throw new SelectorError(`invalid selector: '${selector}'; can't understand '${term}'`);
  const [, field = '', operator = '', value = ''] = match;
  return { field, equal: operator !== '!=', value: value.replace(/\\([\\,=])/g, '$1') };
};
