import { type Environment, EvaluationError, type ParseResult } from '@marcbachmann/cel-js';
import { plainEnvironment, transitionEnvironment } from './cel-environment.ts';
import type { ValidationRuleSchema } from './schema.ts';

/** A rule ready to be evaluated. */
export type CelRule =
  | {
      readonly state: 'compiled';
      readonly evaluate: Program;
      readonly message?: Program;
      readonly isTransition: boolean;
    }
  | { readonly state: 'broken'; readonly problem: string };

/** Throws where the rule cannot be evaluated for this value. */
type Program = (variables: Readonly<Record<string, unknown>>) => unknown;

/** The rule, compiled once. */
export const compileRule = (rule: ValidationRuleSchema): CelRule => {
  const known = compiled.get(rule);
  if (known !== undefined) return known;
  const result = compile(rule);
  compiled.set(rule, result);
  return result;
};

const compiled = new WeakMap<ValidationRuleSchema, CelRule>();

const compile = (rule: ValidationRuleSchema): CelRule => {
  const plain = program(plainEnvironment, rule.rule);
  const evaluated = typeof plain === 'string' ? program(transitionEnvironment, rule.rule) : plain;
  if (typeof evaluated === 'string') return { state: 'broken', problem: evaluated };
  const message = rule.messageExpression ? program(transitionEnvironment, rule.messageExpression) : undefined;
  if (typeof message === 'string') return { state: 'broken', problem: message };
  return { state: 'compiled', evaluate: evaluated, isTransition: evaluated !== plain, ...(message && { message }) };
};

/** The program, or why there is none. */
const program = (environment: Environment, source: string): Program | string => {
  const check = environment.check(source);
  if (!check.valid) return check.error?.message ?? 'does not compile';
  const parsed: ParseResult = environment.parse(source);
  return (variables) => parsed(variables);
};

/** `optional.of(oldSelf)`, or `optional.none()` on create: for rules that ask for it by optionalOldSelf. */
export const optionalOf = (value: unknown): unknown => (value === undefined ? none() : some({ self: value }));

const none: ParseResult = plainEnvironment.parse('optional.none()');
const some: ParseResult = plainEnvironment.parse('optional.of(self)');

/**
 * Why a rule could not be evaluated, in the words of cel-go where they are known (`no such key: x`). Whatever a rule
 * stumbles over, in CEL itself or in a function of ours, is the rule's failure and never the server's.
 */
export const evaluationProblem = (error: unknown): string => {
  if (!(error instanceof EvaluationError)) return error instanceof Error ? error.message : String(error);
  return error.summary.charAt(0).toLowerCase() + error.summary.slice(1);
};
