/** The text of one member of a JSON object, as it was sent; undefined where the text holds none. Well-formed JSON only. */
export const rawMember = (json: string, name: string): string | undefined => {
  let depth = 0;
  let at = 0;
  while (at < json.length) {
    const character = json.charAt(at);
    if (character === '"') {
      const end = stringEnd(json, at);
      const colon = skipBlanks(json, end);
      if (depth === 1 && json.charAt(colon) === ':' && JSON.parse(json.slice(at, end)) === name) {
        const start = skipBlanks(json, colon + 1);
        return json.slice(start, valueEnd(json, start));
      }
      at = end;
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    at += 1;
  }
  return undefined;
};

/**
 * JSON as Go writes raw JSON again (json.Compact with escapeHTML): no blanks between the tokens, and `& < > U+2028
 * U+2029` escaped. Order of keys and spelling of numbers stay.
 */
export const compactAsGo = (json: string): string => {
  let out = '';
  let at = 0;
  while (at < json.length) {
    const end = json.charAt(at) === '"' ? stringEnd(json, at) : at + 1;
    out += json.slice(at, end).trim() === '' ? '' : json.slice(at, end).replace(/[&<>\u2028\u2029]/g, escaped);
    at = end;
  }
  return out;
};

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** One past the closing quote. */
const stringEnd = (json: string, start: number): number => {
  let at = start + 1;
  while (at < json.length && json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
};

const skipBlanks = (json: string, start: number): number => {
  let at = start;
  while (/\s/.test(json.charAt(at))) at += 1;
  return at;
};

const valueEnd = (json: string, start: number): number => {
  let depth = 0;
  let at = start;
  while (at < json.length) {
    const character = json.charAt(at);
    if (depth === 0 && (character === ',' || character === '}' || character === ']'))
      return json.slice(0, at).trimEnd().length;
    if (character === '"') {
      at = stringEnd(json, at);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    at += 1;
  }
  return at;
};
