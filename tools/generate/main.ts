// Writes every generated file of the repository. Run it with `npm run generate`; a test fails where one is out of date.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generated-files.ts';

for (const [path, text] of generatedFiles()) {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
