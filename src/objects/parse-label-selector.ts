import {
  compileRequirements,
  type LabelPredicate,
  type Requirement,
  refuseBadKey,
  requirement,
  SelectorError,
} from './label-selector.ts';

/**
 * Reads the string form of a label selector (`app=llm,tier in (a, b),!debug`); the empty string selects everything.
 * Throws a SelectorError with the words of the API server (k8s.io/apimachinery pkg/labels), which answers 400 with them.
 */
export const parseLabelSelector = (text: string): readonly Requirement[] => {
  const tokens = tokenise(text);
  const requirements: Requirement[] = [];
  for (;;) {
    const next = tokens.peek();
    if (next.type === 'end') return requirements;
    if (next.type !== 'word' && next.type !== '!') {
      throw new SelectorError(`found '${next.text}', expected: !, identifier, or 'end of string'`);
    }
    requirements.push(parseRequirement(tokens));
    const separator = tokens.take();
    if (separator.type === 'end') return requirements;
    if (separator.type !== ',') {
      throw new SelectorError(`found '${separator.text}', expected: ',' or 'end of string'`);
    }
    const following = tokens.peek();
    if (following.type !== 'word' && following.type !== '!') {
      throw new SelectorError(`found '${following.text}', expected: identifier after ','`);
    }
  }
};

/** `parseLabelSelector`, compiled. */
export const compileSelectorText = (text: string): LabelPredicate => compileRequirements(parseLabelSelector(text));

interface Token {
  readonly type: '=' | '==' | '!=' | '!' | '<' | '>' | '(' | ')' | ',' | 'word' | 'end';
  readonly text: string;
}

interface Tokens {
  peek(): Token;
  take(): Token;
}

const symbols = ['==', '!=', '=', '!', '<', '>', '(', ')', ','] as const;

const tokenise = (text: string): Tokens => {
  const tokens: Token[] = [];
  // Runs of special characters split into the longest symbols there are; everything else up to a blank is a word.
  const pattern = /\s*(==|!=|[=!<>(),]|[^\s=!<>(),]+)/gy;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const piece = match[1] ?? '';
    tokens.push({ type: symbols.find((symbol) => symbol === piece) ?? 'word', text: piece });
  }
  let position = 0;
  const peek = (): Token => tokens[position] ?? { type: 'end', text: '' };
  return {
    peek,
    take: () => {
      const token = peek();
      position += 1;
      return token;
    },
  };
};

const parseRequirement = (tokens: Tokens): Requirement => {
  try {
    return parseOne(tokens);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new SelectorError(`unable to parse requirement: ${error.message}`, { cause: error });
  }
};

const parseOne = (tokens: Tokens): Requirement => {
  const negated = tokens.peek().type === '!';
  if (negated) tokens.take();
  const { type, text: key } = tokens.take();
  if (type !== 'word') throw new SelectorError(`found '${key}', expected: identifier`);
  refuseBadKey(key, '<nil>');
  if (negated) return requirement(key, '!', []);
  const next = tokens.peek().type;
  if (next === 'end' || next === ',') return requirement(key, 'exists', []);
  const operator = parseOperator(tokens);
  switch (operator) {
    case 'in':
    case 'notin':
      return requirement(key, operator, parseValues(tokens));
    case '=':
    case '==':
      return requirement(key, 'in', [parseExactValue(tokens)]);
    case '!=':
      return requirement(key, 'notin', [parseExactValue(tokens)]);
    case '>':
      return requirement(key, 'gt', [parseExactValue(tokens)]);
    case '<':
      return requirement(key, 'lt', [parseExactValue(tokens)]);
  }
};

const parseOperator = (tokens: Tokens): 'in' | 'notin' | '=' | '==' | '!=' | '<' | '>' => {
  const { text } = tokens.take();
  switch (text) {
    case 'in':
    case 'notin':
    case '=':
    case '==':
    case '!=':
    case '<':
    case '>':
      return text;
    default:
      throw new SelectorError(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
  }
};

/** `(a,b)`; an empty place in the list is the empty value. */
const parseValues = (tokens: Tokens): readonly string[] => {
  const open = tokens.take();
  if (open.type !== '(') throw new SelectorError(`found '${open.text}' expected: '('`);
  const values = new Set<string>();
  for (;;) {
    const { type, text } = tokens.take();
    if (type === ')' || type === ',') values.add('');
    else if (type !== 'word') {
      throw new SelectorError(`found '${text}', expected: ',', ${values.size === 0 ? "')' " : ''}or identifier`);
    }
    if (type === 'word') values.add(text);
    if (type === ')') break;
    if (type === ',') continue;
    const separator = tokens.take();
    if (separator.type === ')') break;
    if (separator.type !== ',') throw new SelectorError(`found '${separator.text}', expected: ',' or ')'`);
  }
  return [...values].sort();
};

const parseExactValue = (tokens: Tokens): string => {
  const next = tokens.peek().type;
  if (next === 'end' || next === ',') return '';
  const { type, text } = tokens.take();
  if (type !== 'word') throw new SelectorError(`found '${text}', expected: identifier`);
  return text;
};
