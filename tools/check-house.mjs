// Checks what no linter knows of this house: which folder may import which (docs/design/house.md), and that time,
// randomness and sockets are touched in src/platform alone. Prints each breach as file:line and exits 1.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

const core = ['objects', 'api', 'revision', 'plugins', 'eligibility'];
const allowed = {
  platform: [],
  objects: [],
  api: ['objects'],
  revision: ['objects', 'api'],
  plugins: ['objects', 'api'],
  lws: ['objects', 'api'],
  eligibility: ['objects', 'api', 'revision'],
  rollout: core,
  kube: ['objects', 'platform'],
  operator: [...core, 'lws', 'rollout', 'kube', 'platform'],
  cluster: ['platform', 'objects', 'kube'],
  simulation: [...core, 'lws', 'rollout', 'kube', 'platform', 'operator', 'cluster'],
  cli: [...core, 'lws', 'rollout', 'kube', 'platform', 'operator', 'cluster', 'simulation'],
};

const forbidden = [
  [/\bDate\.now\b|\bnew Date\(\)/, 'reads the clock'],
  [/\bperformance\.now\b/, 'reads the clock'],
  [/(?<![.\w])set(?:Timeout|Interval|Immediate)\(/, 'sets a timer'],
  [/\bMath\.random\b|\brandomUUID\b|\brandomBytes\b/, 'draws randomness'],
  [
    /from 'node:(?:net|tls|http|https|http2|dgram|fs|fs\/promises|timers|timers\/promises|crypto)'|from 'undici'/,
    'touches the machine',
  ],
];
// Where a border to the machine is the very purpose of a file, it says so here.
const borders = JSON.parse(readFileSync(new URL('./house-borders.json', import.meta.url), 'utf8'));

export const checkHouse = (root) => {
  const breaches = [];
  const source = join(root, 'src');
  for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const name = relative(root, path).split(sep).join('/');
    const folder = relative(source, path).split(sep)[0];
    const isTest = name.endsWith('.test.ts');
    const lines = readFileSync(path, 'utf8').split('\n');
    lines.forEach((line, index) => {
      const where = `${name}:${index + 1}`;
      const specifier = /(?:from|import\() ?'(\.[^']+)'/.exec(line)?.[1];
      if (specifier !== undefined && !isTest && allowed[folder] !== undefined) {
        const target = relative(source, resolve(dirname(path), specifier)).split(sep);
        if (target[0] !== folder && target.length > 1) {
          if (!allowed[folder].includes(target[0])) breaches.push(`${where}: ${folder} may not import ${target[0]}`);
          else if (target.length > 2 || !target[1].startsWith('index.')) {
            breaches.push(`${where}: import ${target[0]} through its index.ts`);
          }
        }
      }
      if (folder === 'platform' || isTest || borders[name] !== undefined) return;
      if (/^\s*(?:\*|\/\/|\/\*)/.test(line)) return;
      for (const [pattern, what] of forbidden) {
        if (pattern.test(line))
          breaches.push(`${where}: ${what}; take it from platform, or name the border in tools/house-borders.json`);
      }
    });
  }
  return breaches;
};

if (import.meta.url === `file://${process.argv[1]}`) {
  const breaches = checkHouse(process.cwd());
  for (const breach of breaches) console.error(breach);
  process.exit(breaches.length > 0 ? 1 : 0);
}
