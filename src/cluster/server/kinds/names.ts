import { type FieldError, invalidValue } from '../field-error.ts';

/** How names of a kind are checked: DNS subdomain, DNS label, old service label, or anything that fits in a path. */
export type NameRule = 'subdomain' | 'label' | 'label1035' | 'path';

const rules: Readonly<Record<Exclude<NameRule, 'path'>, { pattern: RegExp; limit: number; text: string }>> = {
  subdomain: {
    pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
    limit: 253,
    text: "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  },
  label: {
    pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
    limit: 63,
    text: "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  },
  label1035: {
    pattern: /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
    limit: 63,
    text: "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  },
};

/** What is wrong with a name, as the API server says it; nothing for a good one. */
export const checkName = (rule: NameRule, name: string, field: string): readonly FieldError[] => {
  if (rule === 'path') return checkPathSegment(name, field);
  const { pattern, limit, text } = rules[rule];
  return [
    ...(name.length > limit ? [invalidValue(field, name, `must be no more than ${limit} characters`)] : []),
    ...(pattern.test(name) ? [] : [invalidValue(field, name, text)]),
  ];
};

const checkPathSegment = (name: string, field: string): readonly FieldError[] => {
  if (name === '.' || name === '..') return [invalidValue(field, name, `may not be '${name}'`)];
  return ['/', '%']
    .filter((character) => name.includes(character))
    .map((character) => invalidValue(field, name, `may not contain '${character}'`));
};
