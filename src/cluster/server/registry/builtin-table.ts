import type { ServedSubresource } from '../../server-types.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Strategy } from '../kinds/strategy.ts';

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;
const core = 'io.k8s.api.core.v1';

/** The rules of each built-in kind, by plural name. */
export interface Strategies {
  readonly [plural: string]: Strategy;
}

interface Row {
  readonly group?: string;
  readonly plural: string;
  readonly kind: string;
  readonly singular?: string;
  readonly scope?: 'Cluster';
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly schema: string;
  readonly verbs?: readonly string[];
  readonly subresources?: readonly ServedSubresource[];
}

const sub = (name: string, kind: string, verbs: readonly string[], group = '', version = ''): ServedSubresource => ({
  name,
  kind,
  verbs,
  ...(version === '' ? {} : { group, version }),
});
const statusOf = (kind: string): ServedSubresource => sub('status', kind, ['get', 'patch', 'update']);

/** As discovery of kube-apiserver v1.34.4 lists them; subresources that answer 501 are left out. */
const rows: readonly Row[] = [
  { plural: 'configmaps', kind: 'ConfigMap', shortNames: ['cm'], schema: `${core}.ConfigMap` },
  { plural: 'endpoints', kind: 'Endpoints', singular: 'endpoints', shortNames: ['ep'], schema: `${core}.Endpoints` },
  { plural: 'events', kind: 'Event', shortNames: ['ev'], schema: `${core}.Event` },
  {
    plural: 'namespaces',
    kind: 'Namespace',
    scope: 'Cluster',
    shortNames: ['ns'],
    schema: `${core}.Namespace`,
    verbs: verbs.filter((verb) => verb !== 'deletecollection'),
    subresources: [statusOf('Namespace')],
  },
  {
    plural: 'nodes',
    kind: 'Node',
    scope: 'Cluster',
    shortNames: ['no'],
    schema: `${core}.Node`,
    subresources: [statusOf('Node')],
  },
  {
    plural: 'pods',
    kind: 'Pod',
    shortNames: ['po'],
    categories: ['all'],
    schema: `${core}.Pod`,
    subresources: [
      sub('binding', 'Binding', ['create']),
      sub('ephemeralcontainers', 'Pod', ['get', 'patch', 'update']),
      sub('eviction', 'Eviction', ['create'], 'policy', 'v1'),
      sub('log', 'Pod', ['get']),
      statusOf('Pod'),
    ],
  },
  { plural: 'secrets', kind: 'Secret', schema: `${core}.Secret` },
  { plural: 'serviceaccounts', kind: 'ServiceAccount', shortNames: ['sa'], schema: `${core}.ServiceAccount` },
  {
    plural: 'services',
    kind: 'Service',
    shortNames: ['svc'],
    categories: ['all'],
    schema: `${core}.Service`,
    subresources: [statusOf('Service')],
  },
  {
    group: 'apps',
    plural: 'controllerrevisions',
    kind: 'ControllerRevision',
    schema: 'io.k8s.api.apps.v1.ControllerRevision',
  },
  { group: 'events.k8s.io', plural: 'events', kind: 'Event', shortNames: ['ev'], schema: 'io.k8s.api.events.v1.Event' },
  {
    group: 'policy',
    plural: 'poddisruptionbudgets',
    kind: 'PodDisruptionBudget',
    shortNames: ['pdb'],
    schema: 'io.k8s.api.policy.v1.PodDisruptionBudget',
    subresources: [statusOf('PodDisruptionBudget')],
  },
  {
    group: 'admissionregistration.k8s.io',
    plural: 'mutatingwebhookconfigurations',
    kind: 'MutatingWebhookConfiguration',
    scope: 'Cluster',
    categories: ['api-extensions'],
    schema: 'io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration',
  },
  {
    group: 'admissionregistration.k8s.io',
    plural: 'validatingwebhookconfigurations',
    kind: 'ValidatingWebhookConfiguration',
    scope: 'Cluster',
    categories: ['api-extensions'],
    schema: 'io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration',
  },
  {
    group: 'apiextensions.k8s.io',
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    scope: 'Cluster',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    schema: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
    subresources: [statusOf('CustomResourceDefinition')],
  },
  {
    group: 'coordination.k8s.io',
    plural: 'leases',
    kind: 'Lease',
    schema: 'io.k8s.api.coordination.v1.Lease',
  },
  {
    group: 'discovery.k8s.io',
    plural: 'endpointslices',
    kind: 'EndpointSlice',
    schema: 'io.k8s.api.discovery.v1.EndpointSlice',
  },
];

/** Every built-in kind with its rules, all of version v1. */
export const builtinKinds = (
  strategies: Strategies,
  conversions: Readonly<Record<string, Kind['conversion']>>,
): readonly Kind[] =>
  rows.map((row) => {
    const group = row.group ?? '';
    const strategy = strategies[row.plural];
    if (strategy === undefined) throw new Error(`no rules for ${row.plural}`);
    return {
      group,
      version: 'v1',
      kind: row.kind,
      plural: row.plural,
      singular: row.singular ?? row.kind.toLowerCase(),
      listKind: `${row.kind}List`,
      shortNames: row.shortNames ?? [],
      categories: row.categories ?? [],
      namespaced: row.scope !== 'Cluster',
      verbs: row.verbs ?? verbs,
      subresources: row.subresources ?? [],
      schemaName: row.schema,
      storage: storageOf(group, row.plural),
      strategy,
      conversion: conversions[`${row.plural}.${group}`],
    };
  });

/** One storage per resource; the two groups of events share one. */
export const storageOf = (group: string, plural: string): string =>
  group === '' || group === 'events.k8s.io' ? plural : `${group}/${plural}`;
