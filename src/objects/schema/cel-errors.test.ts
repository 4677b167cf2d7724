import { describe, expect, it } from 'vitest';
import { celErrors } from './cel-errors.ts';
import type { Schema, ValidationRuleSchema } from './schema.ts';
import { structuralErrors } from './structural.ts';

const schemaWith = (spec: Schema): Schema => ({ type: 'object', properties: { spec } });
const anyValue: Schema = { 'x-kubernetes-int-or-string': true };

/** What one rule on `spec` says to a value. */
const ask = (
  rule: string | ValidationRuleSchema,
  spec: unknown,
  { type = anyValue, before }: { type?: Schema; before?: unknown } = {},
) => {
  const rules = [typeof rule === 'string' ? { rule, message: 'no' } : rule];
  const schema = schemaWith({ ...type, 'x-kubernetes-validations': rules });
  return celErrors(schema, { spec }, before === undefined ? {} : { before: { spec: before } }).map(
    ({ field, message }) => `${field}: ${message}`,
  );
};
const holds: readonly string[] = [];
const fails = ['spec: Invalid value: "": no'];

describe('a CEL rule', () => {
  it.each([
    ['quantity(self).isGreaterThan(quantity("1Gi"))', '2Gi', holds],
    ['quantity(self).isGreaterThan(quantity("1Gi"))', '1Mi', fails],
    ['quantity(self).add(quantity("1")).compareTo(quantity("1500m")) == 0', '500m', holds],
    ['quantity(self).isLessThan(quantity("1"))', '1', fails],
    ['isQuantity(self)', 'lots', fails],
    ['self.find("[0-9]+") == "12"', 'a12b3', holds],
    ['self.findAll("[0-9]+").size() == 2', 'a12b3', holds],
    ['self.replace("a", "$&") == "$&b"', 'ab', holds],
    ['self.charAt(1) == "b"', 'ab', holds],
    ['[1, 2, self].isSorted()', 3, holds],
    ['[1, 2, self].sum() == 6 && [1, self].max() == 3 && [1, self].min() == 1', 3, holds],
    ['[1, self].indexOf(3) == 1', 3, holds],
    ['self % 2 == 1', 3, holds],
  ])('%s of %j', (rule, value, expected) => {
    expect(ask(rule, value)).toEqual(expected);
  });

  it('that cannot be evaluated for a value refuses it, and says why', () => {
    const object: Schema = { type: 'object', properties: { a: { type: 'integer' } } };
    expect(ask('self.a > 1', {}, { type: object })).toEqual([
      'spec: Invalid value: "object": no such key: a evaluating rule: no',
    ]);
    expect(ask('quantity(self).isLessThan(quantity("1"))', 'lots')).toHaveLength(1);
    expect(ask('self.find("[") == ""', 'x')).toHaveLength(1);
  });

  it('sees 64-bit integers exactly', () => {
    const type: Schema = { type: 'integer' };
    expect(ask('self + 1 == 9007199254740992', 9007199254740991, { type })).toEqual([]);
  });

  it('with oldSelf is asked on updates only, even where nothing changed', () => {
    expect(ask('self == oldSelf', 'b')).toEqual(holds);
    expect(ask('self == oldSelf', 'b', { before: 'a' })).toEqual(fails);
    expect(ask('self != oldSelf', 'a', { before: 'a' })).toEqual(fails);
  });

  it('with an optional oldSelf is asked on create too', () => {
    const rule = { rule: 'oldSelf.hasValue() || self == "first"', message: 'no', optionalOldSelf: true };
    expect(ask(rule, 'first')).toEqual(holds);
    expect(ask(rule, 'second')).toEqual(fails);
    expect(ask(rule, 'second', { before: 'first' })).toEqual(holds);
  });

  it('whose message expression yields no line of text falls back to the message', () => {
    expect(ask({ rule: 'false', message: 'no', messageExpression: '"a\\nb"' }, 'x')).toEqual(fails);
    expect(ask({ rule: 'false', message: 'no', messageExpression: 'self.nothing' }, 'x')).toEqual(fails);
  });

  it('that does not compile keeps its CRD out', () => {
    const schema = schemaWith({ type: 'string', 'x-kubernetes-validations': [{ rule: 'unheardOf(self)' }] });
    const [error] = structuralErrors(schema, 'schema');
    expect(error?.field).toBe('schema.properties[spec].x-kubernetes-validations[0].rule');
    expect(error?.message).toContain('compilation failed: ');
  });

  it('in a member of a map, an item and an allOf is found there', () => {
    const never: Schema = { type: 'string', 'x-kubernetes-validations': [{ rule: 'false', message: 'never' }] };
    const map: Schema = { type: 'object', additionalProperties: never };
    expect(celErrors(schemaWith(map), { spec: { a: 'x' } }).map(({ field }) => field)).toEqual(['spec[a]']);
    const list: Schema = { type: 'array', items: never };
    expect(celErrors(schemaWith(list), { spec: ['x', 'y'] }).map(({ field }) => field)).toEqual(['spec[0]', 'spec[1]']);
    const all: Schema = { type: 'string', allOf: [never] };
    expect(celErrors(schemaWith(all), { spec: 'x' }).map(({ field }) => field)).toEqual(['spec']);
  });
});
