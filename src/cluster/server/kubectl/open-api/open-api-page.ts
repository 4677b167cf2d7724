import type { ResourceRegistry, ServedResource, ServerAnswer, ServerRequest } from '../../../server-types.ts';
import type { Page } from '../../seam.ts';
import { cachedAnswer } from '../cached-answer.ts';
import { contentHash } from '../content-hash.ts';
import { groupsOf, groupVersionText } from '../discovery/group-versions.ts';
import { componentsOf } from './components.ts';
import { pathsOf } from './paths.ts';

/**
 * `/openapi/v3`: an index, and one document per group version. kubectl reads the index with every write and a document
 * once per hash.
 */
export const openApiPage: Page = (registry, request) => {
  const [root, version, ...rest] = request.segments;
  if (root !== 'openapi' || request.method !== 'GET') return undefined;
  if (version === 'v2' && rest.length === 0) return emptyVersion2(request);
  if (version !== 'v3') return undefined;
  const documents = documentsOf(registry);
  if (rest.length === 0) return indexOf(request, documents);
  const resources = documents.get(rest.join('/'));
  return resources === undefined ? undefined : documentAnswer(request, resources);
};

/** What clients ask for, and how it is named in an answer, where an @ may not stand. */
const version2 = {
  asked: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  answered: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
};

/**
 * Version 2 holds nothing but its version number, as protobuf. kubectl turns to it for kinds that no document of
 * version 3 knows; an empty document lets it come to the point (`no matches for kind`), where a 404 makes it complain
 * about a failed download.
 */
const emptyVersion2 = (request: ServerRequest): ServerAnswer | undefined =>
  request.headers['accept']?.includes(version2.asked) === true
    ? { status: 200, contentType: version2.answered, body: '\n\u00032.0' }
    : undefined;

/** The resources of each document, by the path of the document. */
const documentsOf = (registry: ResourceRegistry): ReadonlyMap<string, readonly ServedResource[]> =>
  new Map(
    groupsOf(registry.all()).flatMap(({ name, versions }) =>
      versions.map(({ version, resources }) => [
        `${name === '' ? 'api' : 'apis'}/${groupVersionText(name, version)}`,
        resources,
      ]),
    ),
  );

const indexOf = (request: ServerRequest, documents: ReadonlyMap<string, readonly ServedResource[]>): ServerAnswer =>
  cachedAnswer(request, {
    body: {
      paths: Object.fromEntries(
        [...documents].map(([path, resources]) => [
          path,
          { serverRelativeURL: `/openapi/v3/${path}?hash=${hashOf(resources)}` },
        ]),
      ),
    },
    contentType: 'application/json',
    cacheControl: 'no-cache, private',
  });

/** A document says nothing but what its resources are, so their hash stands for its own. */
const hashOf = (resources: readonly ServedResource[]): string => contentHash(JSON.stringify(resources));

const documentAnswer = (request: ServerRequest, resources: readonly ServedResource[]): ServerAnswer =>
  cachedAnswer(request, {
    body: {
      openapi: '3.0.0',
      info: { title: 'Kubernetes', version: 'v1.34.4' },
      paths: Object.assign({}, ...resources.map(pathsOf)),
      components: { schemas: componentsOf(resources) },
    },
    contentType: 'application/json',
    // Under its hash a document never changes.
    cacheControl: request.query.get('hash') === hashOf(resources) ? 'public, immutable' : 'no-cache, private',
  });
