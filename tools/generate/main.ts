// Writes every generated file of the repository. Run it with `npm run generate`; CI fails where the result differs.
import { writeFileSync } from 'node:fs';
import { renderTypes } from './kubernetes-types.ts';
import { readSchemaSet } from './schema-set.ts';

const write = (path: string, text: string): void => writeFileSync(new URL(`../../${path}`, import.meta.url), text);

const set = readSchemaSet();
write('src/objects/kubernetes.gen.ts', renderTypes(set));
