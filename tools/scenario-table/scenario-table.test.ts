import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { collectTests, testsIn } from './collect-tests.ts';
import { readMeanings } from './meanings.ts';
import { renderPage, testsFor } from './render-page.ts';

const meanings = readMeanings();
const tests = collectTests();
const described = { ...meanings.scenarios, ...meanings.cases, ...meanings.upstream };

describe('the page of scenarios', () => {
  it('is what `npm run scenarios` writes', () => {
    const stored = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8');
    expect(stored === renderPage(meanings, tests)).toBe(true);
  });

  it('describes every id that a test names', () => {
    const unknown = tests.flatMap(({ file, ids }) =>
      ids.filter((id) => !(id in described)).map((id) => `${file} ${id}`),
    );
    expect(unknown).toEqual([]);
  });

  it('has a reason for everything without a test, and for nothing else', () => {
    const untested = Object.keys(described).filter((id) => testsFor(id, meanings, tests).length === 0);
    expect(untested.toSorted()).toEqual(Object.keys(meanings.missing).toSorted());
    expect(Object.keys(meanings.partly).filter((id) => untested.includes(id))).toEqual([]);
  });

  it('names no test that is not there', () => {
    const names = new Set(tests.map(({ file, name }) => `${file} ${name}`));
    const gone = Object.values(meanings.elsewhere).filter(({ file, name }) => !names.has(`${file} ${name}`));
    expect(gone).toEqual([]);
  });
});

describe('collecting tests', () => {
  it('finds their ids by where the file is, whatever the quotes', () => {
    const source = `it('17, 70: a', f); it(\`B001: b \${x} c\`, f); it(\n  'it\\'s 3: d', f); it('ScaleUp: e', f)`;
    const found = (file: string) => testsIn(file, source).map(({ name, ids }) => [name, ...ids]);
    const names = ['17, 70: a', 'B001: b … c', "it's 3: d", 'ScaleUp: e'];
    expect(found('test/scenarios/a.test.ts')).toEqual([
      [names[0], '17', '70'],
      [names[1], 'B001'],
      [names[2]],
      [names[3]],
    ]);
    expect(found('test/cases/a.test.ts')).toEqual([[names[0]], [names[1], 'B001'], [names[2]], [names[3]]]);
    expect(found('test/upstream/a.test.ts').at(-1)).toEqual(['ScaleUp: e', 'ScaleUp']);
  });

  it('finds tests that stand in a table', () => {
    const source = "const cases = [{ id: '6', what: 'an init container', start }];";
    expect(testsIn('test/scenarios/a.test.ts', source)).toEqual([
      { file: 'test/scenarios/a.test.ts', name: '6: an init container', ids: ['6'] },
    ]);
  });
});
