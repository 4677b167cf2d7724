// The way in for a fresh clone: `node tools/bootstrap.mjs <command> [arguments]`, called by the scripts of package.json.
// Plain JavaScript that needs no node_modules. This file stays readable to an old Node, so that it can say so.
import { versionProblem } from './bootstrap/node-version.mjs';

const problem = versionProblem(process.versions.node);
if (problem === undefined) {
  void import('./bootstrap/main.mjs').then(({ main }) => main(process.argv.slice(2)));
} else {
  console.error(problem);
  process.exitCode = 1;
}
