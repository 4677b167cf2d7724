// Old syntax only: this runs before anything is known about the Node it runs on.
import { readFileSync } from 'node:fs';

/** The sentence to show where `version` (such as `20.19.1`) is older than package.json's `engines` allow; else undefined. */
export const versionProblem = (version) => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const least = JSON.parse(text).engines.node.replace('>=', '');
  const have = version.split('.').map(Number);
  const want = least.split('.').map(Number);
  const tooOld = have[0] < want[0] || (have[0] === want[0] && have[1] < want[1]);
  return tooOld ? `modelserving needs Node ${least} or newer; this is Node ${version}.` : undefined;
};
