import { isPlainObject } from '../../../../objects/index.ts';

/** A step from a set of values to the next one. */
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly at: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'filter'; readonly path: readonly Step[]; readonly operator: string; readonly value: unknown };

/**
 * The JSONPath that printer columns, scale paths and `kubectl` use: `.spec.a`, `['a.b']`, `\.` for a dot in a name,
 * `[0]`, `[-1]`, `[*]`, `[?(@.type=="Ready")]`. Undefined for anything else.
 */
export const parseJsonPath = (text: string): readonly Step[] | undefined => {
  const steps: Step[] = [];
  let rest = text.startsWith('$') ? text.slice(1) : text;
  while (rest !== '') {
    const found = nextStep(rest);
    if (found === undefined) return undefined;
    if (found.step !== undefined) steps.push(found.step);
    rest = rest.slice(found.length);
  }
  return steps;
};

const field = /^\.?((?:\\.|[^.[\]{}\\*?@"'\s])+)/;
const root = /^\.(?=$|\[)/;
const wildcard = /^(?:\.\*|\[\*\])/;
const index = /^\[(-?\d+)\]/;
const quoted = /^\[(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")\]/;
const filter = /^\[\?\(\s*@([^=!<>]*?)\s*(?:(==|!=|<=|>=|<|>)\s*("[^"]*"|'[^']*'|[^\s)]+))?\s*\)\]/;

const nextStep = (rest: string): { readonly step?: Step; readonly length: number } | undefined => {
  let match = wildcard.exec(rest);
  if (match !== null) return { step: { kind: 'all' }, length: match[0].length };
  match = root.exec(rest);
  if (match !== null) return { length: match[0].length };
  match = index.exec(rest);
  if (match !== null) return { step: { kind: 'index', at: Number(match[1]) }, length: match[0].length };
  match = quoted.exec(rest) ?? field.exec(rest);
  if (match !== null) {
    const name = (match[1] ?? match[2] ?? '').replace(/\\(.)/g, '$1');
    return { step: { kind: 'field', name }, length: match[0].length };
  }
  match = filter.exec(rest);
  if (match === null) return undefined;
  const path = parseJsonPath(match[1] ?? '');
  if (path === undefined) return undefined;
  return {
    step: { kind: 'filter', path, operator: match[2] ?? '', value: literal(match[3]) },
    length: match[0].length,
  };
};

const literal = (text: string | undefined): unknown => {
  if (text === undefined) return undefined;
  if (/^["']/.test(text)) return text.slice(1, -1);
  if (text === 'true' || text === 'false') return text === 'true';
  return Number.isNaN(Number(text)) ? text : Number(text);
};

/** Every value the path leads to, in order; nothing where a part of the path is missing. */
export const findAll = (steps: readonly Step[], value: unknown): readonly unknown[] =>
  steps.reduce<readonly unknown[]>((values, step) => values.flatMap((one) => follow(step, one)), [value]);

const follow = (step: Step, value: unknown): readonly unknown[] => {
  switch (step.kind) {
    case 'field':
      return isPlainObject(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : [];
    case 'index': {
      const found = Array.isArray(value) ? value.at(step.at) : undefined;
      return found === undefined ? [] : [found];
    }
    case 'all':
      return itemsOf(value);
    case 'filter':
      return itemsOf(value).filter((item) => matches(step, item));
  }
};

const itemsOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return isPlainObject(value) ? Object.values(value) : [];
};

const matches = (step: Extract<Step, { kind: 'filter' }>, item: unknown): boolean => {
  const found = findAll(step.path, item);
  if (step.operator === '') return found.length > 0;
  return found.length > 0 && compare(found[0], step.operator, step.value);
};

const compare = (left: unknown, operator: string, right: unknown): boolean => {
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (typeof left !== typeof right || (typeof left !== 'number' && typeof left !== 'string')) return false;
  const order = left === right ? 0 : left < (right as typeof left) ? -1 : 1;
  return { '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[operator] ?? false;
};
