import type { LabelSelector } from './kubernetes.gen.ts';
import { labelKeyErrors, labelValueErrors } from './label-syntax.ts';

/** One condition on labels. All requirements of a selector must hold. */
export type Requirement =
  | { readonly operator: 'exists' | '!'; readonly key: string }
  | { readonly operator: 'in' | 'notin'; readonly key: string; readonly values: readonly string[] }
  | { readonly operator: 'gt' | 'lt'; readonly key: string; readonly value: bigint };

/** Labels as objects carry them; undefined is none at all. */
export type Labels = Readonly<Record<string, string>> | undefined;

/** Decides whether an object's labels are selected. */
export type LabelPredicate = (labels: Labels) => boolean;

export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}

/** A predicate for requirements that must all hold; none at all selects everything. */
export const compileRequirements = (requirements: readonly Requirement[]): LabelPredicate => {
  const checks = requirements.map(compile);
  return (labels) => checks.every((check) => check(labels));
};

/**
 * A predicate for a LabelSelector object. An absent selector selects nothing, an empty one everything, as in
 * Kubernetes. Throws a SelectorError for an operator or a key that the API server would refuse.
 */
export const compileLabelSelector = (selector: LabelSelector | undefined): LabelPredicate =>
  selector === undefined ? () => false : compileRequirements(requirementsOf(selector));

/** The requirements of a LabelSelector object. Throws a SelectorError where one is malformed. */
export const requirementsOf = (selector: LabelSelector): readonly Requirement[] => [
  ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => requirement(key, 'in', [value])),
  ...(selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    const name = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
    if (name === undefined) throw new SelectorError(`"${operator}" is not a valid label selector operator`);
    return requirement(key, name, values);
  }),
];

const operators: Readonly<Record<string, Requirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/** One requirement, checked. Throws a SelectorError with the API server's words. */
export const requirement = (key: string, operator: Requirement['operator'], values: readonly string[]): Requirement => {
  refuseBadKey(key, 'key');
  values.forEach((value, index) => {
    const errors = labelValueErrors(value);
    if (errors.length === 0) return;
    throw new SelectorError(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${errors.join('; ')}`);
  });
  switch (operator) {
    case 'exists':
    case '!':
      if (values.length === 0) return { operator, key };
      throw new SelectorError(
        'values: Invalid value: values set must be empty for exists and does not exist operators',
      );
    case 'in':
    case 'notin':
      if (values.length > 0) return { operator, key, values };
      throw new SelectorError("values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty");
    case 'gt':
    case 'lt':
      return { operator, key, value: integer(values) };
  }
};

/** @param field  how the message names the key: `key` in an object; Go prints `<nil>` for one in a string */
export const refuseBadKey = (key: string, field: string): void => {
  const errors = labelKeyErrors(key);
  if (errors.length > 0)
    throw new SelectorError(`${field}: Invalid value: ${JSON.stringify(key)}: ${errors.join('; ')}`);
};

const integer = (values: readonly string[]): bigint => {
  const [text = '', ...more] = values;
  const value = more.length === 0 ? parseInteger(text) : undefined;
  if (value !== undefined) return value;
  throw new SelectorError(
    `values[0]: Invalid value: ${JSON.stringify(text)}: for 'Gt', 'Lt' operators, the value must be an integer`,
  );
};

const compile = (wanted: Requirement): LabelPredicate => {
  const value = (labels: Labels): string | undefined =>
    labels !== undefined && Object.hasOwn(labels, wanted.key) ? labels[wanted.key] : undefined;
  switch (wanted.operator) {
    case 'exists':
      return (labels) => value(labels) !== undefined;
    case '!':
      return (labels) => value(labels) === undefined;
    case 'in': {
      const values = new Set<string | undefined>(wanted.values);
      return (labels) => values.has(value(labels));
    }
    case 'notin': {
      const values = new Set<string | undefined>(wanted.values);
      return (labels) => !values.has(value(labels));
    }
    case 'gt':
      return (labels) => compareWith(value(labels), wanted.value) > 0;
    case 'lt':
      return (labels) => compareWith(value(labels), wanted.value) < 0;
  }
};

/** A label that is missing, or no integer, is neither greater nor less. */
const compareWith = (label: string | undefined, bound: bigint): number => {
  const number = label === undefined ? undefined : parseInteger(label);
  if (number === undefined) return 0;
  return number > bound ? 1 : number < bound ? -1 : 0;
};

/** 64 bits, signed, as Go's ParseInt. */
const parseInteger = (text: string): bigint | undefined => {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
};
