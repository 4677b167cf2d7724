import type { ServedResource, StoredObject } from '../../server-types.ts';
import type { Strategy } from './strategy.ts';

/** A served resource together with where it is stored and what its rules are. */
export interface Kind extends ServedResource {
  /** Where its objects are stored: one storage may be seen through several groups or versions. */
  readonly storage: string;
  readonly strategy: Strategy;
  /** Views of the stored object, where the served shape differs from the stored one. */
  readonly conversion?:
    | {
        readonly toStored: (object: StoredObject) => StoredObject;
        readonly toServed: (object: StoredObject) => StoredObject;
      }
    | undefined;
}

export const apiVersionOf = (kind: ServedResource): string =>
  kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;

export const resourceOf = (kind: ServedResource): { readonly group: string; readonly name: string } => ({
  group: kind.group,
  name: kind.plural,
});

export const kindOf = (kind: ServedResource): { readonly group: string; readonly name: string } => ({
  group: kind.group,
  name: kind.kind,
});

/** The stored object as this kind shows it: its own apiVersion and kind, converted where it has another shape. */
export const served = (kind: Kind, stored: StoredObject): StoredObject => {
  const object = kind.conversion === undefined ? stored : kind.conversion.toServed(stored);
  const apiVersion = apiVersionOf(kind);
  return object.apiVersion === apiVersion && object.kind === kind.kind
    ? object
    : { ...object, kind: kind.kind, apiVersion };
};
