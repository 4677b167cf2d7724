import type { ServedResource } from '../../../server-types.ts';
import type { Group } from './group-versions.ts';

/** APIGroupDiscoveryList: every group, version and resource in one document (apidiscovery.k8s.io). */
export const aggregatedList = (groups: readonly Group[], version: string): unknown => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: `apidiscovery.k8s.io/${version}`,
  metadata: {},
  items: groups.map(({ name, versions }) => ({
    metadata: name === '' ? {} : { name },
    versions: versions.map((served) => ({
      version: served.version,
      resources: served.resources.map(resourceEntry),
      freshness: 'Current',
    })),
  })),
});

const resourceEntry = (resource: ServedResource): unknown => ({
  resource: resource.plural,
  responseKind: responseKind(resource, resource.kind),
  scope: resource.namespaced ? 'Namespaced' : 'Cluster',
  singularResource: resource.singular,
  verbs: resource.verbs,
  ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
  ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
  ...(resource.subresources.length === 0
    ? {}
    : {
        subresources: resource.subresources.map(({ name, kind, group, version, verbs }) => ({
          subresource: name,
          responseKind: version === undefined ? responseKind(resource, kind) : { group: group ?? '', version, kind },
          verbs,
        })),
      }),
});

/** Built-in kinds leave group and version to the place where they stand; custom kinds spell them out. */
const responseKind = (resource: ServedResource, kind: string): unknown =>
  resource.custom === undefined
    ? { group: '', version: '', kind }
    : { group: resource.group, version: resource.version, kind };
