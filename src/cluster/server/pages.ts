import type { ServerAnswer } from '../server-types.ts';
import type { Page } from './seam.ts';

/** Health and version: what probes, people and clients ask before anything else. */
export const plainPage: Page = (_registry, request): ServerAnswer | undefined => {
  if (request.method !== 'GET') return undefined;
  const [first, ...rest] = request.segments;
  switch (first) {
    case 'version':
      return rest.length === 0 ? { status: 200, body: version } : undefined;
    case 'healthz':
    case 'livez':
    case 'readyz':
      return { status: 200, contentType: 'text/plain; charset=utf-8', body: 'ok' };
    default:
      return undefined;
  }
};

/** The version whose behaviour the embedded server follows. */
const version = {
  major: '1',
  minor: '34',
  emulationMajor: '1',
  emulationMinor: '34',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '33',
  gitVersion: 'v1.34.4',
  gitCommit: '$Format:%H$',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'go1.26.8',
  compiler: 'gc',
  platform: 'linux/amd64',
};

/** What a real server says of groups and resources it does not know: no Status, plain text. */
export const pageNotFound: ServerAnswer = {
  status: 404,
  contentType: 'text/plain; charset=utf-8',
  body: '404 page not found\n',
};
