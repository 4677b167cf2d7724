/**
 * Makes answers of two servers comparable: UIDs and generated names are numbered in the order in which they appear,
 * resourceVersions by rank, tokens that a client must not look into become one word, and descriptions (of the columns
 * of a table), which are prose for people, go.
 */
export const normalised = (answers: readonly unknown[]): readonly unknown[] => {
  const versions = [...new Set(answers.flatMap(versionsIn))].sort((a, b) => a - b);
  const rank = new Map(versions.map((version, index) => [version, index]));
  const uids = new Map<string, string>();
  return answers.map((answer) => rewrite(answer, { rank, uids }));
};

interface Names {
  readonly rank: ReadonlyMap<number, number>;
  readonly uids: Map<string, string>;
}

const currentVersion = /current: (\d+)$/;
const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

const versionsIn = (value: unknown): readonly number[] => {
  if (typeof value === 'string') return [...(currentVersion.exec(value)?.slice(1) ?? [])].map(Number);
  if (Array.isArray(value)) return value.flatMap(versionsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'resourceVersion' && typeof item === 'string' ? [Number(item)] : versionsIn(item),
  );
};

const rewrite = (value: unknown, names: Names, key = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, names));
  if (typeof value === 'object' && value !== null) {
    const { description: _, ...rest } = value as Readonly<Record<string, unknown>>;
    return Object.fromEntries(Object.entries(rest).map(([name, item]) => [name, rewrite(item, names, name)]));
  }
  if (typeof value !== 'string') return value;
  if (key === 'resourceVersion') return `version ${names.rank.get(Number(value))}`;
  if (key === 'continue') return 'a token';
  return value
    .replace(uid, (text) => numbered(names.uids, text))
    .replace(currentVersion, (_, version) => `current: version ${names.rank.get(Number(version))}`)
    .replace(/^gen-[a-z0-9]{5}$/, 'gen-<random>');
};

const numbered = (known: Map<string, string>, text: string): string => {
  const name = known.get(text) ?? `<uid ${known.size + 1}>`;
  known.set(text, name);
  return name;
};

/** Paths at which two JSON values differ, each with both sides. */
export const differences = (expected: unknown, actual: unknown, path = ''): readonly string[] => {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length);
    return Array.from({ length }, (_, index) =>
      differences(expected[index], actual[index], `${path}[${index}]`),
    ).flat();
  }
  if (isObject(expected) && isObject(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])].sort();
    return keys.flatMap((key) => differences(expected[key], actual[key], path === '' ? key : `${path}.${key}`));
  }
  return expected === actual
    ? []
    : [`${path}: recorded ${JSON.stringify(expected)}, answered ${JSON.stringify(actual)}`];
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
