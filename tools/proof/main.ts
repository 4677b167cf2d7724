// Runs every mutant until a rule catches it, and writes the table of docs/proof.md and the seeds that the tests replay:
// `npx tsx tools/proof/main.ts [runs]`
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { invariantRules } from '../../src/simulation/index.ts';
import { type Hunt, hunt } from '../../test/simulation/mutants/hunt.ts';
import { mutants } from '../../test/simulation/mutants/mutants.ts';

const firstSeed = 1000;
const runs = Number(process.argv[2] ?? 60);
const inRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const hunts: Hunt[] = [];
for (const mutant of mutants) {
  const found = await hunt(mutant, { firstSeed, runs });
  console.log(`${found.caughtBy ?? 'SURVIVED'}: ${mutant.name} (${found.runs} runs)`);
  hunts.push(found);
}

const between = (text: string, name: string, lines: readonly string[]): string => {
  const [begin, end] = [`<!-- ${name}: written by tools/proof/main.ts -->`, `<!-- end of ${name} -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/proof.md has no place for ${name}`);
  return [before + begin, '', ...lines, '', end + after].join('\n');
};

const caught = hunts.filter(({ caughtBy }) => caughtBy !== undefined);
const page = inRoot('docs/proof.md');
let text = readFileSync(page, 'utf8');
text = between(text, 'rules', [
  '| rule | what it says |',
  '| --- | --- |',
  ...invariantRules.map(({ id, rule }) => `| ${id} | ${rule} |`),
]);
text = between(text, 'mutants', [
  `${caught.length} of ${hunts.length} are caught.`,
  '',
  '| wrong operator | caught by | runs it took |',
  '| --- | --- | --- |',
  ...hunts.map((it) => `| ${it.mutant.name} | ${it.caughtBy ?? '**survived**'} | ${it.runs} |`),
]);
writeFileSync(page, text);
const replays = Object.fromEntries(caught.map(({ mutant, caughtBy, seed }) => [mutant.name, { seed, caughtBy }]));
writeFileSync(inRoot('test/simulation/mutants/caught.gen.json'), `${JSON.stringify(replays, undefined, 2)}\n`);
