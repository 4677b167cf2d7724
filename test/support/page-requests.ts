import type { ResourceRegistry, ServedResource, ServerRequest } from '../../src/cluster/server-types.ts';

/** Builds a request the way it arrives at a page. Tests only. */
export const aRequest = (
  method: ServerRequest['method'],
  path: string,
  more: { readonly headers?: Readonly<Record<string, string>>; readonly body?: Uint8Array | string } = {},
): ServerRequest => {
  const [route = '', query = ''] = path.split('?');
  return {
    method,
    segments: route.split('/').filter((segment) => segment !== ''),
    query: new URLSearchParams(query),
    headers: more.headers ?? {},
    body: typeof more.body === 'string' ? new TextEncoder().encode(more.body) : (more.body ?? new Uint8Array()),
    userName: 'somebody',
  };
};

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** A custom kind as a CRD with status and scale establishes it. Tests only. */
export const widgets: ServedResource = {
  group: 'demo.example',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  listKind: 'WidgetList',
  shortNames: ['wi'],
  categories: ['all'],
  namespaced: true,
  verbs,
  subresources: [
    { name: 'status', kind: 'Widget', verbs: ['get', 'patch', 'update'] },
    { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: ['get', 'patch', 'update'] },
  ],
  custom: {
    schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: { replicas: { type: 'integer', description: 'How many.' } } } },
    },
    printerColumns: [],
    statusSubresource: true,
  },
};

export const pods: ServedResource = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  singular: 'pod',
  listKind: 'PodList',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  verbs,
  subresources: [],
  schemaName: 'io.k8s.api.core.v1.Pod',
};

export const registryOf = (...resources: readonly ServedResource[]): ResourceRegistry => ({
  all: () => resources,
  find: (group, version, plural) =>
    resources.find((it) => it.group === group && it.version === version && it.plural === plural),
});
