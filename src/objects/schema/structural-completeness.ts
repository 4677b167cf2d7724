import { type FieldError, required } from '../field-error.ts';
import { propertySchema } from './child-schema.ts';
import type { Schema } from './schema.ts';

/**
 * Whatever anyOf, allOf, oneOf and not speak of must be declared outside of them too, or nobody would know its type.
 * (apiextensions-apiserver, pkg/apiserver/schema/complete.go)
 */
export const completenessErrors = (schema: Schema, path: string): readonly FieldError[] =>
  junctors(schema).flatMap(([part, at]) => partErrors(part, schema, { declared: path, defined: `${path}.${at}` }));

interface Paths {
  /** Where the declaration should be. */
  readonly declared: string;
  /** Where it is spoken of. */
  readonly defined: string;
}

const partErrors = (part: Schema, declared: Schema | undefined, paths: Paths): readonly FieldError[] => {
  if (declared === undefined) return [required(paths.declared, `because it is defined in ${paths.defined}`)];
  return [
    ...junctors(part).flatMap(([inner, at]) =>
      partErrors(inner, declared, { ...paths, defined: `${paths.defined}.${at}` }),
    ),
    ...(part.items === undefined
      ? []
      : partErrors(part.items, declared.items, {
          declared: `${paths.declared}.items`,
          defined: `${paths.defined}.items`,
        })),
    ...Object.entries(part.properties ?? {}).flatMap(([name, property]) =>
      partErrors(property, propertySchema(declared, name), {
        declared: `${paths.declared}.properties[${name}]`,
        defined: `${paths.defined}.properties[${name}]`,
      }),
    ),
  ];
};

const junctors = (schema: Schema): readonly (readonly [Schema, string])[] => [
  ...(schema.not === undefined ? [] : ([[schema.not, 'not']] as const)),
  ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((word) =>
    (schema[word] ?? []).map((part, index) => [part, `${word}[${index}]`] as const),
  ),
];
