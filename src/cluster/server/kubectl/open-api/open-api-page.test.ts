import { describe, expect, it } from 'vitest';
import { aRequest, pods, registryOf, widgets } from '../../../../../test/support/page-requests.ts';
import { nodePlatform } from '../../../../platform/index.ts';
import type { ServedResource, ServerAnswer } from '../../../server-types.ts';
import { createApiServer } from '../../server.ts';
import { readFields } from '../protobuf/wire.ts';
import { openApiPage } from './open-api-page.ts';

const registry = registryOf(pods, widgets);
const ask = (path: string, headers = {}, served = registry): ServerAnswer | undefined =>
  openApiPage(served, aRequest('GET', path, { headers })) as ServerAnswer | undefined;

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}
interface Patch {
  readonly parameters: readonly { readonly name: string }[];
  readonly requestBody: { readonly content: object };
  readonly 'x-kubernetes-group-version-kind': unknown;
}
interface Document {
  readonly paths: Readonly<Record<string, { readonly patch?: Patch }>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const index = (served = registry): Index => JSON.parse(String(ask('/openapi/v3', {}, served)?.body));
const document = (path: string): Document => JSON.parse(String(ask(`/openapi/v3/${path}`)?.body));
const urlOf = (path: string, served = registry): string => index(served).paths[path]?.serverRelativeURL ?? '';
const patchOf = (path: string, collection: string): Patch | undefined =>
  document(path).paths[`${collection}/{name}`]?.patch;

describe('OpenAPI', () => {
  it('lists one document for each group version, under a URL that changes with its content only', () => {
    expect(Object.keys(index().paths)).toEqual(['api/v1', 'apis/demo.example/v1']);
    const wider: ServedResource = { ...widgets, shortNames: ['w'] };
    expect(urlOf('api/v1', registryOf(pods, wider))).toBe(urlOf('api/v1'));
    expect(urlOf('apis/demo.example/v1', registryOf(pods, wider))).not.toBe(urlOf('apis/demo.example/v1'));
  });

  it('lets clients keep a document for ever under its hash, and ask whether it changed without it', () => {
    expect(ask(urlOf('api/v1'))?.headers?.['cache-control']).toBe('public, immutable');
    const plain = ask('/openapi/v3/api/v1');
    expect(plain?.headers?.['cache-control']).toBe('no-cache, private');
    expect(ask('/openapi/v3/api/v1', { 'if-none-match': plain?.headers?.['etag'] })?.status).toBe(304);
  });

  it('tells kubectl that the server validates fields, of built-in and custom kinds', () => {
    const pod = patchOf('api/v1', '/api/v1/namespaces/{namespace}/pods');
    const widget = patchOf('apis/demo.example/v1', '/apis/demo.example/v1/namespaces/{namespace}/widgets');
    for (const patch of [pod, widget]) {
      expect(patch?.parameters.map(({ name }) => name)).toContain('fieldValidation');
    }
    expect(pod?.['x-kubernetes-group-version-kind']).toEqual({ group: '', version: 'v1', kind: 'Pod' });
  });

  it('offers strategic merge patches for built-in kinds alone', () => {
    const types = (patch: Patch | undefined): readonly string[] => Object.keys(patch?.requestBody.content ?? {});
    const strategic = 'application/strategic-merge-patch+json';
    expect(types(patchOf('api/v1', '/api/v1/namespaces/{namespace}/pods'))).toContain(strategic);
    const widget = patchOf('apis/demo.example/v1', '/apis/demo.example/v1/namespaces/{namespace}/widgets');
    expect(types(widget)).not.toContain(strategic);
    expect(types(widget)).toContain('application/merge-patch+json');
  });

  it('gives a custom kind the fields that its CRD leaves unsaid', () => {
    const schema = document('apis/demo.example/v1').components.schemas['example.demo.v1.Widget'];
    expect(schema).toMatchObject({
      'x-kubernetes-group-version-kind': [{ group: 'demo.example', version: 'v1', kind: 'Widget' }],
      properties: {
        spec: { properties: { replicas: { description: 'How many.' } } },
        metadata: { $ref: expect.any(String) },
      },
    });
  });

  it('holds every schema that another one refers to, for every group version of the cluster', () => {
    const cluster = createApiServer({ platform: nodePlatform() }).registry;
    const all = registryOf(...cluster.all(), widgets);
    const paths = Object.keys(index(all).paths);
    expect(paths).toContain('apis/apps/v1');
    for (const path of paths) {
      const text = String(ask(`/openapi/v3/${path}`, {}, all)?.body);
      const { components }: Document = JSON.parse(text);
      const refs = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name ?? '');
      expect(refs).not.toEqual([]);
      expect(refs.filter((name) => components.schemas[name] === undefined)).toEqual([]);
    }
  });

  it('answers version 2 as an empty protobuf document, so that kubectl goes on, and in no other format', () => {
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const { body, contentType } = ask('/openapi/v2', { accept }) ?? {};
    // A media type with an @ is one that Go cannot parse.
    expect(contentType).toBe(accept.replace('@', '.'));
    expect(readFields(Buffer.from(String(body)))).toEqual([{ number: 1, value: Buffer.from('2.0') }]);
    expect(ask('/openapi/v2', { accept: 'application/json' })).toBeUndefined();
  });

  it('has no documents of groups that are not served', () => {
    expect(ask('/openapi/v3/apis/nothing.example/v1')).toBeUndefined();
  });
});
