// Writes docs/scenarios.md. Run it with `npm run scenarios`; a test fails where the page is out of date.
import { writeFileSync } from 'node:fs';
import { collectTests } from './collect-tests.ts';
import { readMeanings } from './meanings.ts';
import { renderPage } from './render-page.ts';

writeFileSync(new URL('../../docs/scenarios.md', import.meta.url), renderPage(readMeanings(), collectTests()));
