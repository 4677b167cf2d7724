import { isPlainObject } from '../plain-object.ts';
import { builtinSchema } from './builtin.ts';
import { additionalSchema, isObjectMetaField, propertySchema } from './child-schema.ts';
import { rewriteItems, rewriteMembers } from './rewrite.ts';
import type { Schema } from './schema.ts';

export interface Pruned {
  readonly value: unknown;
  /** Paths of what went, sorted: `spec.containers[0].bogus`. */
  readonly unknownFields: readonly string[];
}

/** As the server words it, in refusals (fieldValidation=Strict) and warnings (Warn) alike. */
export const unknownFieldMessage = (path: string): string => `unknown field "${path}"`;

/**
 * The API object without the members its schema does not know. apiVersion, kind and metadata belong to every object
 * and to every embedded one, whether the schema mentions them or not; metadata is pruned like the built-in ObjectMeta.
 *
 * (apiextensions-apiserver, pkg/apiserver/schema/pruning.) The object is not changed; what stays is shared with it.
 */
export const prune = (schema: Schema, object: unknown): Pruned =>
  pruneValue({ ...schema, 'x-kubernetes-embedded-resource': true }, object);

/** The same for a value that is no object of its own, for example a spec. */
export const pruneValue = (schema: Schema, value: unknown): Pruned => {
  const unknownFields: string[] = [];
  const kept = walker(unknownFields)(schema, value, '');
  return { value: kept, unknownFields: unknownFields.sort() };
};

type Walk = (schema: Schema | undefined, value: unknown, path: string) => unknown;

const walker = (unknownFields: string[]): Walk => {
  const walk: Walk = (schema, value, path) => {
    if (Array.isArray(value)) {
      const items = itemsOf(schema);
      return items === everything
        ? value
        : rewriteItems(value, (item, index) => walk(items, item, `${path}[${index}]`));
    }
    if (!isPlainObject(value)) return value;
    return rewriteMembers(value, (member, name) => {
      const inner = `${path}${path === '' ? '' : '.'}${name}`;
      if (schema?.['x-kubernetes-embedded-resource'] && isObjectMetaField(name)) {
        return name === 'metadata' ? walk(objectMeta, member, inner) : member;
      }
      const known = schema && (propertySchema(schema, name) ?? additionalSchema(schema));
      if (known !== undefined) return walk(known, member, inner);
      // Free keys without a schema: the server keeps the member, and nothing that is inside it.
      if (schema?.additionalProperties === true) return walk(undefined, member, inner);
      if (schema?.['x-kubernetes-preserve-unknown-fields']) return member;
      unknownFields.push(inner);
      return undefined;
    });
  };
  return walk;
};

const everything: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

/** Items of a list whose unknown members are kept keep theirs as well. */
const itemsOf = (schema: Schema | undefined): Schema | undefined => {
  if (!schema?.['x-kubernetes-preserve-unknown-fields']) return schema?.items;
  return schema.items === undefined ? everything : { ...schema.items, ...everything };
};

const objectMeta = builtinSchema('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
