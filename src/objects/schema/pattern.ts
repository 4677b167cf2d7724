import type { Schema } from './schema.ts';

/**
 * A pattern of a schema, which is written for Go's RE2. What both languages know means the same; `(?i)` at the start
 * becomes a flag, `\A` and `\z` become anchors. Throws a SyntaxError for patterns that JavaScript cannot express.
 */
export const compilePattern = (pattern: string): RegExp => {
  const [, flags = '', body = ''] = /^(?:\(\?([is]+)\))?([\s\S]*)$/.exec(pattern) ?? [];
  return new RegExp(body.replaceAll('\\A', '^').replaceAll('\\z', '$'), flags);
};

/** The pattern of the schema, compiled once; undefined where it has none. */
export const patternOf = (schema: Schema): RegExp | undefined => {
  if (!schema.pattern) return undefined;
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const pattern = compilePattern(schema.pattern);
  compiled.set(schema, pattern);
  return pattern;
};

const compiled = new WeakMap<Schema, RegExp>();
