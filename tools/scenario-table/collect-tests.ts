import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A test as its source names it. */
export interface NamedTest {
  /** From the root of the repository. */
  readonly file: string;
  /** With `…` where the source puts a value in. */
  readonly name: string;
  /** What the name begins with, before its colon: `17` and `70`, `B016`, `ScaleUp`. */
  readonly ids: readonly string[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** `it('…'`, in any quotes. */
const written = /\bit\(\s*(?<quote>['"`])(?<name>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>/g;
/** A row of a table of tests. */
const tabled = /\bid: '(?<id>[^']+)',\s*what: '(?<name>(?:\\.|[^'\\])*)'/g;

const idsOfCases = String.raw`B\d{3}`;
const idsOfScenarios = String.raw`\d+[a-z]?`;
const idsOfUpstream = String.raw`[A-Z]\w+`;

/** Which ids a name may begin with, by where its file is. */
const idsAt = (file: string): string => {
  if (file.startsWith('test/scenarios/')) return `${idsOfScenarios}|${idsOfCases}`;
  return file.startsWith('test/upstream/') ? idsOfUpstream : idsOfCases;
};

/** Every test of `src` and `test`, but those that need a real cluster. */
export const collectTests = (): readonly NamedTest[] =>
  ['src', 'test']
    .flatMap((folder) =>
      readdirSync(new URL(`../../${folder}`, import.meta.url), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith('test/real/'))
    .toSorted()
    .flatMap((file) => testsIn(file, readFileSync(root + file, 'utf8')));

/** The tests of one source file, in the order in which it has them. */
export const testsIn = (file: string, source: string): readonly NamedTest[] => {
  const names = [...source.matchAll(written)].map(({ groups, index }) => ({ index, name: groups?.['name'] ?? '' }));
  const rows = [...source.matchAll(tabled)].map(({ groups, index }) => ({
    index,
    name: `${groups?.['id']}: ${groups?.['name']}`,
  }));
  return [...names, ...rows]
    .toSorted((a, b) => a.index - b.index)
    .map(({ name }) => ({ file, name: readable(name), ids: idsOf(name, idsAt(file)) }));
};

const readable = (name: string): string => name.replaceAll(/\$\{[^}]*\}/g, '…').replaceAll(/\\(.)/g, '$1');

const idsOf = (name: string, id: string): readonly string[] =>
  new RegExp(`^((?:${id})(?:, (?:${id}))*): `).exec(name)?.[1]?.split(', ') ?? [];
