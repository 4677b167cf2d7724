import type { CustomResource, StoredObject } from '../../server-types.ts';
import type { FieldError } from '../field-error.ts';
import { readersOf } from '../kinds/fields.ts';
import { plain, type Strategy } from '../kinds/strategy.ts';
import { checkCustom } from './check-custom.ts';

/** @param selectable JSON paths of plain fields (`.spec.color`) that field selectors may name */
export const customStrategy = (custom: CustomResource, selectable: readonly string[]): Strategy => {
  const check = (object: StoredObject, previous?: StoredObject): readonly FieldError[] =>
    checkCustom(custom, object, previous);
  return {
    ...plain,
    generation: 'content',
    statusSubresource: custom.statusSubresource,
    unconditionalUpdate: false,
    validate: (object) => check(object),
    validateUpdate: check,
    validateStatus: check,
    fields: readersOf(...selectable.map((path) => path.replace(/^\./, ''))),
  };
};
