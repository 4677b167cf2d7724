import { jsonEqual } from '../equal.ts';
import { duplicate, type FieldError, forbidden, invalid, required } from '../field-error.ts';
import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { type CelRule, compileRule, evaluationProblem, optionalOf } from './cel-rule.ts';
import { celValue } from './cel-value.ts';
import { additionalSchema, propertySchema } from './child-schema.ts';
import { type Before, itemBefore, memberBefore } from './correlate.ts';
import type { Schema, ValidationRuleSchema } from './schema.ts';

export interface CelOptions {
  /** The object before an update; absent on create, when transition rules are not asked. */
  readonly before?: Before;
  /** What was found before the rules are asked: some kinds of findings keep the server from asking them at all. */
  readonly earlier?: readonly FieldError[] | undefined;
}

/**
 * What the CEL rules of the schema (`x-kubernetes-validations`) have against an API object. A rule that does not speak
 * of oldSelf is not held against what an update left as it was.
 * (apiextensions-apiserver, pkg/apiserver/schema/cel)
 */
export const celErrors = (schema: Schema, object: unknown, options: CelOptions = {}): readonly FieldError[] => {
  if (!hasRules(schema)) return none;
  if (options.earlier?.some(isBlocking)) return [notChecked];
  const { before } = options;
  return nodeErrors(schema, object, { path: '', before, unchanged: false, isObject: true });
};

const none: readonly FieldError[] = [];

const notChecked: FieldError = invalid(
  '<nil>',
  undefined,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

/** After these the object may not have the shape that the rules were compiled for. */
const isBlocking = ({ reason }: FieldError): boolean => {
  switch (reason) {
    case 'FieldValueRequired':
    case 'FieldValueNotSupported':
    case 'FieldValueTooLong':
    case 'FieldValueTooMany':
    case 'FieldValueTypeInvalid':
      return true;
    case 'FieldValueNotFound':
    case 'FieldValueDuplicate':
    case 'FieldValueInvalid':
    case 'FieldValueForbidden':
      return false;
  }
};

interface Node {
  readonly path: string;
  readonly before: Before;
  /** The nearest value around this one that has a before is as it was. */
  readonly unchanged: boolean;
  readonly isObject: boolean;
}

const nodeErrors = (schema: Schema, value: unknown, node: Node): readonly FieldError[] => {
  if (value === null || value === undefined || !hasRules(schema)) return none;
  const unchanged = node.before === undefined ? node.unchanged : jsonEqual(node.before, value);
  const here = { ...node, unchanged };
  return [
    ...ruleErrors(schema, value, here),
    ...(schema.allOf ?? []).flatMap((part) => nodeErrors(overlay(schema, part), value, here)),
    ...(Array.isArray(value) ? itemErrors(schema, value, here) : none),
    ...(isPlainObject(value) ? memberErrors(schema, value, here) : none),
  ];
};

/** Rules inside allOf are written for the type that the schema around it declares. */
const overlay = (schema: Schema, part: Schema): Schema => {
  const { 'x-kubernetes-validations': _, allOf: __, ...type } = schema;
  return { ...type, ...part };
};

const itemErrors = (schema: Schema, list: readonly unknown[], node: Node): readonly FieldError[] => {
  const { items } = schema;
  if (items === undefined) return none;
  return list.flatMap((item, index) =>
    nodeErrors(items, item, {
      path: `${node.path}[${index}]`,
      before: itemBefore(schema, node.before, item),
      unchanged: node.unchanged,
      isObject: items['x-kubernetes-embedded-resource'] === true,
    }),
  );
};

const memberErrors = (schema: Schema, object: PlainObject, node: Node): readonly FieldError[] => {
  const others = additionalSchema(schema);
  return Object.keys(object)
    .sort()
    .flatMap((name) => {
      const property = propertySchema(schema, name);
      const inner = property ?? others;
      if (inner === undefined) return none;
      return nodeErrors(inner, object[name], {
        path: property === undefined ? `${node.path}[${name}]` : join(node.path, name),
        before: memberBefore(node.before, name),
        unchanged: node.unchanged,
        isObject: inner['x-kubernetes-embedded-resource'] === true,
      });
    });
};

const ruleErrors = (schema: Schema, value: unknown, node: Node): readonly FieldError[] => {
  const due = (schema['x-kubernetes-validations'] ?? []).filter((rule) => isDue(rule, node));
  if (due.length === 0) return none;
  const isTransition = due.some((rule) => asksForBefore(compileRule(rule)));
  const self = celValue(schema, value, node.isObject);
  const oldSelf = isTransition && isThere(node.before) ? celValue(schema, node.before, node.isObject) : undefined;
  return due.flatMap((rule) => ruleError(rule, { schema, node, self, oldSelf }) ?? []);
};

/** A transition rule needs something to compare with; any other rule is not held against what stayed as it was. */
const isDue = (rule: ValidationRuleSchema, node: Node): boolean =>
  asksForBefore(compileRule(rule)) ? isThere(node.before) || rule.optionalOldSelf === true : !node.unchanged;

const asksForBefore = (rule: CelRule): boolean => rule.state === 'compiled' && rule.isTransition;

const isThere = (before: Before): boolean => before !== undefined && before !== null;

interface Subject {
  readonly schema: Schema;
  readonly node: Node;
  readonly self: unknown;
  readonly oldSelf: unknown;
}

const ruleError = (rule: ValidationRuleSchema, subject: Subject): FieldError | undefined => {
  const { schema, node, self, oldSelf } = subject;
  const here = node.path === '' ? '<nil>' : node.path;
  const type = schema.type ?? '';
  const compiled = compileRule(rule);
  if (compiled.state === 'broken') return invalid(here, type, `rule compile error: ${compiled.problem}`);
  const variables = { self, oldSelf: rule.optionalOldSelf ? optionalOf(oldSelf) : oldSelf };
  try {
    if (compiled.evaluate(variables) === true) return undefined;
  } catch (error) {
    return invalid(here, type, `${evaluationProblem(error)} evaluating rule: ${ruleText(rule)}`);
  }
  const place = rule.fieldPath ? join(node.path, rule.fieldPath.replace(/^\./, '')) : here;
  return violation(rule, { place, type, detail: messageOf(rule, compiled, variables) });
};

const violation = (
  rule: ValidationRuleSchema,
  { place, type, detail }: { readonly place: string; readonly type: string; readonly detail: string },
): FieldError => {
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return forbidden(place, detail);
    case 'FieldValueRequired':
      return required(place, detail);
    case 'FieldValueDuplicate':
      return duplicate(place, type);
    default:
      return invalid(place, type, detail);
  }
};

type Compiled = Extract<CelRule, { readonly state: 'compiled' }>;

/** An expression that fails, or yields no single line of text, falls back to the message, and that to the rule. */
const messageOf = (rule: ValidationRuleSchema, compiled: Compiled, variables: Variables): string =>
  expressedMessage(compiled, variables) ?? (rule.message ? rule.message.trim() : `failed rule: ${ruleText(rule)}`);

type Variables = Readonly<Record<string, unknown>>;

const expressedMessage = ({ message }: Compiled, variables: Variables): string | undefined => {
  try {
    const text = message?.(variables);
    const line = typeof text === 'string' ? text.trim() : '';
    return line === '' || line.includes('\n') ? undefined : line;
  } catch {
    // The server goes by the message then, and so do we: that the rule failed is what counts.
    return undefined;
  }
};

const ruleText = (rule: ValidationRuleSchema): string => (rule.message || rule.rule).trim();

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const cache = new WeakMap<Schema, boolean>();

/** Whether there is any rule in or below the schema. */
const hasRules = (schema: Schema): boolean => {
  const known = cache.get(schema);
  if (known !== undefined) return known;
  cache.set(schema, true);
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.allOf ?? []),
    schema.items,
    additionalSchema(schema),
  ];
  const answer =
    (schema['x-kubernetes-validations'] ?? []).length > 0 ||
    inner.some((child) => child !== undefined && hasRules(child));
  cache.set(schema, answer);
  return answer;
};
