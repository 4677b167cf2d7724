import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aRequest, pods, registryOf, widgets } from '../../../../../test/support/page-requests.ts';
import { nodePlatform } from '../../../../platform/index.ts';
import type { ServerAnswer } from '../../../server-types.ts';
import { createApiServer } from '../../server.ts';
import { rootPage } from '../root-page.ts';
import { discoveryPage } from './discovery-page.ts';
import { compareVersions } from './group-versions.ts';

interface Entry {
  readonly resource: string;
  readonly verbs: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

interface List {
  readonly kind: string;
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources: readonly Entry[];
      readonly freshness: string;
    }[];
  }[];
}

const recorded: List = JSON.parse(
  readFileSync(new URL('../../../../../test/fixtures/kubernetes/discovery.json', import.meta.url), 'utf8'),
);

const aggregated = (version = 'v2'): Readonly<Record<string, string>> => ({
  accept: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList,application/json`,
});
const cluster = createApiServer({ platform: nodePlatform() });
const ask = (path: string, headers = {}, registry = cluster.registry): ServerAnswer | undefined =>
  discoveryPage(registry, aRequest('GET', path, { headers })) as ServerAnswer | undefined;
const parsed = (answer: ServerAnswer | undefined): List => JSON.parse(String(answer?.body));
const entriesOf = (list: List): ReadonlyMap<string, Entry> =>
  new Map(
    list.items.flatMap(({ metadata, versions }) =>
      versions.flatMap(({ version, resources }) =>
        resources.map((entry) => [`${metadata.name ?? ''}/${version}/${entry.resource}`, entry] as const),
      ),
    ),
  );

describe('discovery', () => {
  it('describes every built-in kind as a real API server does, of the subresources those it serves', () => {
    const real = entriesOf(recorded);
    const ours = new Map([
      ...entriesOf(parsed(ask('/api', aggregated()))),
      ...entriesOf(parsed(ask('/apis', aggregated()))),
    ]);
    expect([...ours.keys()].sort()).toEqual([...real.keys()].sort());
    for (const [key, { subresources = [], ...entry }] of ours) {
      const { subresources: all = [], ...want } = real.get(key) ?? { resource: '', verbs: [] };
      expect({ ...entry, verbs: [...entry.verbs].sort() }).toEqual({ ...want, verbs: [...want.verbs].sort() });
      for (const one of subresources) expect(all).toContainEqual(one);
    }
  });

  it('keeps the core group under /api and all others under /apis', () => {
    expect(parsed(ask('/api', aggregated())).items.map(({ metadata }) => metadata)).toEqual([{}]);
    expect(parsed(ask('/apis', aggregated())).items.map(({ metadata }) => metadata.name)).not.toContain('');
  });

  it('answers the version of the aggregated form that was asked for, as its content type says', () => {
    for (const version of ['v2', 'v2beta1']) {
      const answer = ask('/apis', aggregated(version));
      expect(answer?.contentType).toBe(`application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`);
      expect(JSON.parse(String(answer?.body))).toMatchObject({ apiVersion: `apidiscovery.k8s.io/${version}` });
    }
  });

  it('answers 304 to a client that holds the same list, and anew once a kind is added', () => {
    const { etag = '' } = ask('/apis', aggregated())?.headers ?? {};
    const holding = { ...aggregated(), 'if-none-match': etag };
    expect(ask('/apis', holding)?.status).toBe(304);
    expect(ask('/apis', holding, registryOf(...cluster.registry.all(), widgets))?.status).toBe(200);
  });

  it('shows a custom kind with its status and scale', () => {
    const list = parsed(ask('/apis', aggregated(), registryOf(widgets)));
    const group = list.items.find(({ metadata }) => metadata.name === 'demo.example');
    expect(group?.versions).toEqual([
      {
        version: 'v1',
        freshness: 'Current',
        resources: [
          {
            resource: 'widgets',
            responseKind: { group: 'demo.example', version: 'v1', kind: 'Widget' },
            scope: 'Namespaced',
            singularResource: 'widget',
            verbs: widgets.verbs,
            shortNames: ['wi'],
            categories: ['all'],
            subresources: [
              {
                subresource: 'status',
                responseKind: { group: 'demo.example', version: 'v1', kind: 'Widget' },
                verbs: ['get', 'patch', 'update'],
              },
              {
                subresource: 'scale',
                responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                verbs: ['get', 'patch', 'update'],
              },
            ],
          },
        ],
      },
    ]);
  });

  it('has the older pages for clients that accept plain JSON only', () => {
    const registry = registryOf(pods, widgets);
    expect(ask('/api', {}, registry)?.body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    const groups = ask('/apis', {}, registry)?.body as { readonly groups: readonly unknown[] };
    const entry = { groupVersion: 'demo.example/v1', version: 'v1' };
    expect(groups.groups).toContainEqual({ name: 'demo.example', versions: [entry], preferredVersion: entry });
    expect(ask('/apis/demo.example', {}, registry)?.body).toMatchObject({ kind: 'APIGroup', preferredVersion: entry });
    expect(ask('/api/v1', {}, registry)?.body).toMatchObject({ kind: 'APIResourceList', groupVersion: 'v1' });
    const list = ask('/apis/demo.example/v1', {}, registry)?.body as { readonly resources: readonly unknown[] };
    expect(list.resources).toMatchObject([
      { name: 'widgets', singularName: 'widget', namespaced: true, kind: 'Widget', shortNames: ['wi'] },
      { name: 'widgets/status', singularName: '', kind: 'Widget' },
      { name: 'widgets/scale', group: 'autoscaling', version: 'v1', kind: 'Scale' },
    ]);
  });

  it('begins with a page of paths', () => {
    expect(rootPage(registryOf(pods, widgets), aRequest('GET', '/'))).toMatchObject({
      body: { paths: expect.arrayContaining(['/api/v1', '/apis/demo.example/v1', '/openapi/v3']) },
    });
  });

  it('leaves unknown groups, and everything that is not discovery, to others', () => {
    for (const path of ['/apis/nothing.example', '/apis/nothing.example/v1', '/api/v2', '/api/v1/pods', '/version']) {
      expect(ask(path)).toBeUndefined();
    }
    expect(discoveryPage(cluster.registry, aRequest('POST', '/apis'))).toBeUndefined();
  });

  it('puts stable versions before beta and alpha ones', () => {
    const versions = ['foo', 'v1alpha1', 'v2beta1', 'v1', 'v10', 'v2', 'v1beta2'];
    expect(versions.toSorted(compareVersions)).toEqual(['v10', 'v2', 'v1', 'v2beta1', 'v1beta2', 'v1alpha1', 'foo']);
  });
});
