import { beforeEach, describe, expect, it } from 'vitest';
import { type ClientBench, createClientBench } from '../../test/support/client-bench.ts';
import type { ConfigMap, KubeObject } from '../objects/index.ts';
import { resources } from './resources.ts';

const { configmaps, pods, nodes } = resources;
const aConfigMap: ConfigMap = { metadata: { namespace: 'ns', name: 'c' }, data: { b: '1 < 2', a: 'x' } };
const ref = { namespace: 'ns', name: 'c' };

describe('a client', () => {
  let bench: ClientBench;
  beforeEach(() => {
    bench = createClientBench();
  });

  const sent = (): readonly unknown[] => {
    const { request } = bench.server.last();
    return [request.method, request.path, request.body, request.headers['content-type']];
  };

  describe('asks', () => {
    it.each([
      [
        'get',
        () => bench.client.get(configmaps, ref),
        ['GET', '/api/v1/namespaces/ns/configmaps/c', undefined, undefined],
      ],
      [
        'get of the cluster',
        () => bench.client.get(nodes, { name: 'n/1' }),
        ['GET', '/api/v1/nodes/n%2F1', undefined, undefined],
      ],
      [
        'list',
        () => bench.client.list(configmaps, { namespace: 'ns', labelSelector: 'a in (b,c)', limit: 5 }),
        ['GET', '/api/v1/namespaces/ns/configmaps?labelSelector=a%20in%20(b%2Cc)&limit=5', undefined, undefined],
      ],
      [
        'list everywhere',
        () => bench.client.list(resources.controllerrevisions),
        ['GET', '/apis/apps/v1/controllerrevisions', undefined, undefined],
      ],
      [
        'create, written as Go would',
        () => bench.client.create(configmaps, aConfigMap, { dryRun: true }),
        [
          'POST',
          '/api/v1/namespaces/ns/configmaps?fieldManager=tester&dryRun=All',
          '{"data":{"a":"x","b":"1 \\u003c 2"},"metadata":{"name":"c","namespace":"ns"}}',
          'application/json',
        ],
      ],
      [
        'create of a subresource',
        () => bench.client.create<KubeObject>(pods, { metadata: ref }, { subresource: 'eviction', fieldManager: 'me' }),
        [
          'POST',
          '/api/v1/namespaces/ns/pods/c/eviction?fieldManager=me',
          '{"metadata":{"name":"c","namespace":"ns"}}',
          'application/json',
        ],
      ],
      [
        'update of the status',
        () => bench.client.update(configmaps, { metadata: ref }, { subresource: 'status' }),
        [
          'PUT',
          '/api/v1/namespaces/ns/configmaps/c/status?fieldManager=tester',
          '{"metadata":{"name":"c","namespace":"ns"}}',
          'application/json',
        ],
      ],
      [
        'strategic patch',
        () => bench.client.patch(configmaps, ref, { type: 'strategic', body: { data: {} } }),
        [
          'PATCH',
          '/api/v1/namespaces/ns/configmaps/c?fieldManager=tester',
          '{"data":{}}',
          'application/strategic-merge-patch+json',
        ],
      ],
      [
        'apply patch',
        () => bench.client.patch(configmaps, ref, { type: 'apply', body: {} }, { force: true }),
        [
          'PATCH',
          '/api/v1/namespaces/ns/configmaps/c?fieldManager=tester&force=true',
          '{}',
          'application/apply-patch+yaml',
        ],
      ],
      [
        'delete with what it was decided on',
        () => bench.client.delete(configmaps, ref, { uid: 'u', resourceVersion: '7', gracePeriodSeconds: 0 }),
        [
          'DELETE',
          '/api/v1/namespaces/ns/configmaps/c',
          '{"apiVersion":"v1","gracePeriodSeconds":0,"kind":"DeleteOptions","preconditions":{"resourceVersion":"7","uid":"u"}}',
          'application/json',
        ],
      ],
    ])('%s', async (_, ask, request) => {
      const work: Promise<unknown> = ask();
      await bench.answered(work, 200, { kind: 'ConfigMap', metadata: {}, items: [] });
      expect(sent()).toEqual(request);
      expect(bench.server.last().request.headers['user-agent']).toBe('test/1');
    });

    it('nothing, where a namespace or a name is missing', async () => {
      const nameless = { metadata: { namespace: 'ns' } };
      for (const work of [
        bench.client.get(configmaps, { name: 'c' }),
        bench.client.create(configmaps, { metadata: { name: 'c' } }),
        bench.client.update(configmaps, nameless),
        bench.client.delete(configmaps, { name: 'c' }),
      ]) {
        expect((await bench.failed(work)).code).toBe('bad-request');
      }
      expect(bench.server.exchanges).toEqual([]);
    });
  });

  describe('hands out', () => {
    it('objects as they are, unknown fields and all', async () => {
      const wire = { kind: 'ConfigMap', metadata: { creationTimestamp: '2026-01-01T00:00:00Z' }, invented: { x: 1 } };
      expect(await bench.answered(bench.client.get(configmaps, ref), 200, wire)).toEqual(wire);
    });

    it('items of a list with the kind that the wire leaves out', async () => {
      const wire = { metadata: { resourceVersion: '9', continue: '' }, items: [{ metadata: { name: 'c' } }] };
      expect(await bench.answered(bench.client.list(configmaps), 200, wire)).toEqual({
        items: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }],
        resourceVersion: '9',
        continue: undefined,
      });
      expect((await bench.answered(bench.client.list(configmaps), 200, { metadata: {}, items: null })).items).toEqual(
        [],
      );
    });

    // The answers are those of kube-apiserver v1.34.4.
    it.each([
      ['a Status', { kind: 'Status', status: 'Success', details: { uid: 'u' } }, undefined],
      [
        'a Pod that is gone',
        { kind: 'Pod', metadata: { deletionTimestamp: 't', deletionGracePeriodSeconds: 0 } },
        undefined,
      ],
      ['a Service', { kind: 'Service', metadata: { name: 's' } }, undefined],
      [
        'a Pod with grace',
        { kind: 'Pod', metadata: { deletionTimestamp: 't', deletionGracePeriodSeconds: 30 } },
        'same',
      ],
      [
        'an object with finalizers',
        { metadata: { deletionTimestamp: 't', deletionGracePeriodSeconds: 0, finalizers: ['f'] } },
        'same',
      ],
    ])('after a delete the object only if it still exists: %s', async (_, wire, expected) => {
      expect(await bench.answered(bench.client.delete(configmaps, ref), 200, wire)).toEqual(
        expected === 'same' ? wire : undefined,
      );
    });

    it('JSON or text of any path', async () => {
      expect(await bench.answered(bench.client.raw('/version'), 200, { major: '1' })).toEqual({ major: '1' });
      expect(await bench.answered(bench.client.raw('/healthz'), 200, 'ok')).toBe('ok');
    });
  });
});
