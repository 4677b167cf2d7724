import type { ServerAnswer, ServerRequest } from '../../../server-types.ts';
import type { Page } from '../../seam.ts';
import { acceptsJson, parseAccept } from '../accept.ts';
import { cachedAnswer } from '../cached-answer.ts';
import { reviewResources } from '../reviews.ts';
import { aggregatedList } from './aggregated.ts';
import { type Group, groupsOf } from './group-versions.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './plain.ts';

/** What is served right now: `/api`, `/apis` and the pages below them, down to the resources of one group version. */
export const discoveryPage: Page = (registry, request) => {
  const [root, ...rest] = request.segments;
  if (request.method !== 'GET' || (root !== 'api' && root !== 'apis') || rest.length > 2) return undefined;
  const groups = groupsOf([...registry.all(), ...reviewResources]);
  return root === 'api' ? corePage(groups, request, rest) : groupsPage(groups, request, rest);
};

const corePage = (
  groups: readonly Group[],
  request: ServerRequest,
  [version, ...rest]: readonly string[],
): ServerAnswer | undefined => {
  const core = groups.filter(({ name }) => name === '');
  if (version === undefined) return overview(request, core, () => apiVersions(core[0]));
  return rest.length === 0 ? resourcesPage(core[0], version) : undefined;
};

const groupsPage = (
  groups: readonly Group[],
  request: ServerRequest,
  [name, version]: readonly string[],
): ServerAnswer | undefined => {
  const named = groups.filter((group) => group.name !== '');
  if (name === undefined) return overview(request, named, () => apiGroupList(named));
  const group = named.find((candidate) => candidate.name === name);
  if (group === undefined || version !== undefined) return resourcesPage(group, version ?? '');
  return { status: 200, body: apiGroup(group) };
};

const resourcesPage = (group: Group | undefined, version: string): ServerAnswer | undefined => {
  const served = group?.versions.find((candidate) => candidate.version === version);
  return group === undefined || served === undefined
    ? undefined
    : { status: 200, body: apiResourceList(group.name, served) };
};

/** The aggregated form where the client lists it before plain JSON, as kubectl does since 1.27. */
const overview = (request: ServerRequest, groups: readonly Group[], plain: () => unknown): ServerAnswer => {
  for (const range of parseAccept(request.headers['accept'])) {
    if (!acceptsJson(range)) continue;
    const { g: group, v: version = '', as } = range.parameters;
    if (as === undefined) break;
    if (group !== 'apidiscovery.k8s.io' || as !== 'APIGroupDiscoveryList' || !/^v2(?:beta1)?$/.test(version)) continue;
    return cachedAnswer(request, {
      body: aggregatedList(groups, version),
      contentType: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
      cacheControl: 'public',
    });
  }
  return { status: 200, body: plain() };
};
