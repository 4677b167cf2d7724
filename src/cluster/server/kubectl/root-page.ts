import type { Page } from '../seam.ts';
import { groupsOf, groupVersionText } from './discovery/group-versions.ts';

/** `GET /`: where there is something to see, for people who look around with curl. */
export const rootPage: Page = (registry, request) => {
  if (request.segments.length > 0 || request.method !== 'GET') return undefined;
  const resources = groupsOf(registry.all()).flatMap(({ name, versions }) =>
    versions.map(({ version }) => `${name === '' ? '/api' : '/apis'}/${groupVersionText(name, version)}`),
  );
  const fixed = ['/api', '/apis', '/healthz', '/livez', '/openapi/v3', '/readyz', '/version'];
  return { status: 200, body: { paths: [...fixed, ...resources].sort() } };
};
