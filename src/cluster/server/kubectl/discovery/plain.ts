import type { ServedResource, ServedSubresource } from '../../../server-types.ts';
import { type Group, type GroupVersion, groupVersionText } from './group-versions.ts';

/** `GET /api` for clients that do not know the aggregated form. */
export const apiVersions = (core: Group | undefined): unknown => ({
  kind: 'APIVersions',
  versions: core?.versions.map(({ version }) => version) ?? [],
  serverAddressByClientCIDRs: [],
});

/** `GET /apis` for the same clients. */
export const apiGroupList = (groups: readonly Group[]): unknown => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groups.map(groupEntry),
});

/** `GET /apis/apps` */
export const apiGroup = (group: Group): unknown => ({ kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) });

const groupEntry = ({ name, versions }: Group): Readonly<Record<string, unknown>> => {
  const entries = versions.map(({ version }) => ({ groupVersion: groupVersionText(name, version), version }));
  return { name, versions: entries, preferredVersion: entries[0] };
};

/** `GET /api/v1`, `GET /apis/apps/v1`: every resource, and every subresource as `pods/status`. */
export const apiResourceList = (group: string, { version, resources }: GroupVersion): unknown => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: groupVersionText(group, version),
  resources: resources.flatMap((resource) => [
    resourceEntry(resource),
    ...resource.subresources.map((subresource) => subresourceEntry(resource, subresource)),
  ]),
});

const resourceEntry = (resource: ServedResource): unknown => ({
  name: resource.plural,
  singularName: resource.singular,
  namespaced: resource.namespaced,
  kind: resource.kind,
  verbs: resource.verbs,
  ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
  ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
});

const subresourceEntry = (
  resource: ServedResource,
  { name, kind, group, version, verbs }: ServedSubresource,
): unknown => ({
  name: `${resource.plural}/${name}`,
  singularName: '',
  namespaced: resource.namespaced,
  ...(version === undefined ? {} : { group: group ?? '', version }),
  kind,
  verbs,
});
