import { builtinSchema, canonicalQuantity, type Schema } from '../../../objects/index.ts';
import { microTimeOf, secondsTimeOf } from './time.ts';

/** How one scalar type of Go reads JSON and writes it again. */
interface Scalar {
  /** The name of the type, for messages. */
  readonly wanted: string;
  readonly accepts: (value: unknown) => boolean;
  /** Throws an Error with Go's words for a text it cannot read. */
  readonly canonical: (value: unknown) => unknown;
}

const asItIs = (value: unknown): unknown => value;
const isString = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isInteger = (value: unknown): boolean => Number.isInteger(value);
const isEither = (value: unknown): boolean => isString(value) || isNumber(value);

const text: Scalar = { wanted: 'string', accepts: isString, canonical: asItIs };
const number: Scalar = { wanted: 'float64', accepts: isNumber, canonical: asItIs };
const boolean: Scalar = { wanted: 'bool', accepts: (value) => typeof value === 'boolean', canonical: asItIs };
const intOrString: Scalar = { wanted: 'string', accepts: isEither, canonical: asItIs };
const quantity: Scalar = {
  wanted: 'resource.Quantity',
  accepts: isEither,
  canonical: (value) => canonicalQuantity(String(value).trim()),
};
const time: Scalar = { wanted: 'Time', accepts: isString, canonical: (value) => secondsTimeOf(String(value)) };
const microTime: Scalar = { wanted: 'MicroTime', accepts: isString, canonical: (value) => microTimeOf(String(value)) };

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
// Linked schemas are the same objects wherever they are used, so a type is known by identity.
const named: ReadonlyMap<Schema, Scalar> = new Map([
  [builtinSchema('io.k8s.apimachinery.pkg.api.resource.Quantity'), quantity],
  [builtinSchema('io.k8s.apimachinery.pkg.util.intstr.IntOrString'), intOrString],
  [builtinSchema(`${meta}.Time`), time],
  [builtinSchema(`${meta}.MicroTime`), microTime],
]);

export const scalarOf = (schema: Schema): Scalar => {
  const known = named.get(schema);
  if (known !== undefined) return known;
  switch (schema.type) {
    case 'string':
      return text;
    case 'integer':
      return { wanted: schema.format ?? 'int32', accepts: isInteger, canonical: asItIs };
    case 'number':
      return number;
    case 'boolean':
      return boolean;
    default:
      // A copy of a named type with a default beside it, or a type that is either.
      return schema.format === 'int-or-string'
        ? intOrString
        : { wanted: 'value', accepts: () => true, canonical: asItIs };
  }
};

/** RawExtension, FieldsV1, the JSON of a schema: kept as it comes. */
export const isFreeForm = (schema: Schema): boolean =>
  !named.has(schema) &&
  (schema.type === undefined || schema.type === 'object') &&
  schema.properties === undefined &&
  schema.additionalProperties === undefined;
