import { beforeEach, describe, expect, it } from 'vitest';
import { createScriptedTransport, type ScriptedTransport } from '../../test/support/scripted-transport.ts';
import type { ConfigMap, KubeObject } from '../objects/index.ts';
import { createVirtualPlatform, type VirtualPlatform } from '../simulation/index.ts';
import { createClient } from './client.ts';
import type { KubeClient, WatchEvent } from './client-types.ts';
import { ApiError, isApiError } from './errors.ts';
import { resources } from './resources.ts';

const { configmaps, pods, nodes } = resources;
const aConfigMap: ConfigMap = { metadata: { namespace: 'ns', name: 'c' }, data: { b: '1 < 2', a: 'x' } };
const ref = { namespace: 'ns', name: 'c' };

describe('a client', () => {
  let machine: VirtualPlatform;
  let server: ScriptedTransport;
  let client: KubeClient;

  beforeEach(() => {
    machine = createVirtualPlatform();
    server = createScriptedTransport();
    client = createClient({ transport: server, platform: machine, userAgent: 'test/1', fieldManager: 'tester' });
  });

  /** Answers the newest request and waits for what comes out of it. */
  const answered = async <T>(work: Promise<T>, status: number, body: unknown): Promise<T> => {
    await machine.advance(0);
    server.last().answer(status, body);
    return work;
  };

  const failed = async (work: Promise<unknown>): Promise<ApiError> => {
    try {
      await work;
    } catch (error) {
      if (isApiError(error)) return error;
      throw error;
    }
    throw new Error('it did not fail');
  };

  const failure = (code: number, reason: string, extra: object = {}): object => ({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    message: `because ${reason}`,
    reason,
    code,
    ...extra,
  });

  const sent = (): readonly unknown[] => {
    const { request } = server.last();
    return [request.method, request.path, request.body, request.headers['content-type']];
  };

  describe('asks', () => {
    it.each([
      ['get', () => client.get(configmaps, ref), ['GET', '/api/v1/namespaces/ns/configmaps/c', undefined, undefined]],
      [
        'get of the cluster',
        () => client.get(nodes, { name: 'n/1' }),
        ['GET', '/api/v1/nodes/n%2F1', undefined, undefined],
      ],
      [
        'list',
        () => client.list(configmaps, { namespace: 'ns', labelSelector: 'a in (b,c)', limit: 5 }),
        ['GET', '/api/v1/namespaces/ns/configmaps?labelSelector=a%20in%20(b%2Cc)&limit=5', undefined, undefined],
      ],
      [
        'list everywhere',
        () => client.list(resources.controllerrevisions),
        ['GET', '/apis/apps/v1/controllerrevisions', undefined, undefined],
      ],
      [
        'create, written as Go would',
        () => client.create(configmaps, aConfigMap, { dryRun: true }),
        [
          'POST',
          '/api/v1/namespaces/ns/configmaps?fieldManager=tester&dryRun=All',
          '{"data":{"a":"x","b":"1 \\u003c 2"},"metadata":{"name":"c","namespace":"ns"}}',
          'application/json',
        ],
      ],
      [
        'create of a subresource',
        () => client.create<KubeObject>(pods, { metadata: ref }, { subresource: 'eviction', fieldManager: 'me' }),
        [
          'POST',
          '/api/v1/namespaces/ns/pods/c/eviction?fieldManager=me',
          '{"metadata":{"name":"c","namespace":"ns"}}',
          'application/json',
        ],
      ],
      [
        'update of the status',
        () => client.update(configmaps, { metadata: ref }, { subresource: 'status' }),
        [
          'PUT',
          '/api/v1/namespaces/ns/configmaps/c/status?fieldManager=tester',
          '{"metadata":{"name":"c","namespace":"ns"}}',
          'application/json',
        ],
      ],
      [
        'strategic patch',
        () => client.patch(configmaps, ref, { type: 'strategic', body: { data: {} } }),
        [
          'PATCH',
          '/api/v1/namespaces/ns/configmaps/c?fieldManager=tester',
          '{"data":{}}',
          'application/strategic-merge-patch+json',
        ],
      ],
      [
        'apply patch',
        () => client.patch(configmaps, ref, { type: 'apply', body: {} }, { force: true }),
        [
          'PATCH',
          '/api/v1/namespaces/ns/configmaps/c?fieldManager=tester&force=true',
          '{}',
          'application/apply-patch+yaml',
        ],
      ],
      [
        'delete with what it was decided on',
        () => client.delete(configmaps, ref, { uid: 'u', resourceVersion: '7', gracePeriodSeconds: 0 }),
        [
          'DELETE',
          '/api/v1/namespaces/ns/configmaps/c',
          '{"apiVersion":"v1","gracePeriodSeconds":0,"kind":"DeleteOptions","preconditions":{"resourceVersion":"7","uid":"u"}}',
          'application/json',
        ],
      ],
    ])('%s', async (_, ask, request) => {
      const work: Promise<unknown> = ask();
      await answered(work, 200, { kind: 'ConfigMap', metadata: {}, items: [] });
      expect(sent()).toEqual(request);
      expect(server.last().request.headers['user-agent']).toBe('test/1');
    });

    it('nothing, where a namespace or a name is missing', async () => {
      const nameless = { metadata: { namespace: 'ns' } };
      for (const work of [
        client.get(configmaps, { name: 'c' }),
        client.create(configmaps, { metadata: { name: 'c' } }),
        client.update(configmaps, nameless),
        client.delete(configmaps, { name: 'c' }),
      ]) {
        expect((await failed(work)).code).toBe('bad-request');
      }
      expect(server.exchanges).toEqual([]);
    });
  });

  describe('hands out', () => {
    it('objects as they are, unknown fields and all', async () => {
      const wire = { kind: 'ConfigMap', metadata: { creationTimestamp: '2026-01-01T00:00:00Z' }, invented: { x: 1 } };
      expect(await answered(client.get(configmaps, ref), 200, wire)).toEqual(wire);
    });

    it('items of a list with the kind that the wire leaves out', async () => {
      const wire = { metadata: { resourceVersion: '9', continue: '' }, items: [{ metadata: { name: 'c' } }] };
      expect(await answered(client.list(configmaps), 200, wire)).toEqual({
        items: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }],
        resourceVersion: '9',
        continue: undefined,
      });
      expect((await answered(client.list(configmaps), 200, { metadata: {}, items: null })).items).toEqual([]);
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
      expect(await answered(client.delete(configmaps, ref), 200, wire)).toEqual(expected === 'same' ? wire : undefined);
    });

    it('JSON or text of any path', async () => {
      expect(await answered(client.raw('/version'), 200, { major: '1' })).toEqual({ major: '1' });
      expect(await answered(client.raw('/healthz'), 200, 'ok')).toBe('ok');
    });
  });

  describe('fails', () => {
    it.each([
      [409, 'Conflict', 'conflict', 'read-again'],
      [409, 'AlreadyExists', 'already-exists', 'read-again'],
      [404, 'NotFound', 'not-found', 'read-again'],
      [410, 'Expired', 'gone', 'read-again'],
      [422, 'Invalid', 'invalid', 'never'],
      [403, 'Forbidden', 'forbidden', 'never'],
      [401, 'Unauthorized', 'unauthorized', 'never'],
      [415, 'UnsupportedMediaType', 'bad-request', 'never'],
      [429, 'TooManyRequests', 'too-many-requests', 'back-off'],
      [500, 'InternalError', 'internal', 'back-off'],
      [503, 'ServiceUnavailable', 'unavailable', 'back-off'],
      [504, 'Timeout', 'timeout', 'back-off'],
    ])('%s %s as %s, advice %s', async (status, reason, code, retry) => {
      const details = { name: 'c', causes: [{ field: 'data', message: 'no' }] };
      const error = await failed(answered(client.get(configmaps, ref), status, failure(status, reason, { details })));
      expect(error).toMatchObject({ status, reason, code, retry, message: `because ${reason}`, details });
    });

    it('with the text of an answer that is no Status', async () => {
      const error = await failed(answered(client.get(configmaps, ref), 404, '404 page not found\n'));
      expect(error).toMatchObject({ code: 'not-found', message: 'the API server answered 404: 404 page not found' });
    });

    it('when no connection comes about, or it breaks', async () => {
      const work = client.get(configmaps, ref);
      server.last().end(new Error('connect ECONNREFUSED'));
      expect(await failed(work)).toMatchObject({
        code: 'unreachable',
        retry: 'back-off',
        message: 'cannot reach the API server: connect ECONNREFUSED',
      });
      const cut = client.get(configmaps, ref);
      server.last().end();
      expect((await failed(cut)).code).toBe('unreachable');
    });

    it('when no whole answer comes within 30 s, and lets go of the request', async () => {
      const work = failed(client.get(configmaps, ref));
      server.last().head(200);
      server.last().data('{');
      await machine.advance(30_000);
      expect(await work).toMatchObject({ code: 'timeout', status: undefined });
      expect(server.last().isCancelled()).toBe(true);
    });

    it('when the answer is not JSON', async () => {
      expect((await failed(answered(client.get(configmaps, ref), 200, '<html>'))).code).toBe('malformed');
    });
  });

  describe('told to come back later', () => {
    it.each([429, 503])('waits as long as %s says, and asks again', async (status) => {
      const work = client.get(configmaps, ref);
      server.last().answer(status, failure(status, 'Busy'), { 'retry-after': '2' });
      await machine.advance(1999);
      expect(server.exchanges).toHaveLength(1);
      await machine.advance(1);
      expect(server.exchanges).toHaveLength(2);
      expect(await answered(work, 200, { metadata: {} })).toEqual({ metadata: {} });
    });

    it('repeats a create too, as the server did nothing', async () => {
      const work = client.create(configmaps, aConfigMap);
      server.last().answer(429, failure(429, 'Busy'), { 'retry-after': '1' });
      await machine.advance(1000);
      expect(server.exchanges.map(({ request }) => request.method)).toEqual(['POST', 'POST']);
      await answered(work, 201, { metadata: {} });
    });

    it('gives up after five repeats', async () => {
      const work = failed(client.get(configmaps, ref));
      for (let i = 0; i < 6; i++) {
        server.last().answer(429, failure(429, 'Busy'), { 'retry-after': '1' });
        await machine.advance(1000);
      }
      expect(await work).toMatchObject({ code: 'too-many-requests', retryAfterMs: 1000 });
      expect(server.exchanges).toHaveLength(6);
    });

    it('repeats nothing else: not a 500, not a 409, not a broken connection', async () => {
      for (const status of [500, 409, 504]) {
        await failed(answered(client.create(configmaps, aConfigMap), status, failure(status, 'X')));
      }
      const broken = client.create(configmaps, aConfigMap);
      server.last().end(new Error('ECONNRESET'));
      await failed(broken);
      await machine.advance(60_000);
      expect(server.exchanges).toHaveLength(4);
    });
  });

  describe('watching', () => {
    const watched = (): { readonly told: unknown[]; readonly cancel: () => void } => {
      const told: unknown[] = [];
      const cancel = client.watch(
        configmaps,
        { resourceVersion: '5' },
        {
          onOpen: () => told.push('open'),
          onEvent: (event: WatchEvent<ConfigMap>) =>
            told.push(event.type === 'ERROR' ? event : [event.type, event.object.metadata.name]),
          onEnd: (error) => told.push(['end', error instanceof ApiError ? error.code : error]),
        },
      );
      return { told, cancel };
    };

    it('hands out events and the end', () => {
      const { told } = watched();
      expect(server.last().request).toMatchObject({
        purpose: 'watch',
        path: '/api/v1/configmaps?watch=true&resourceVersion=5',
      });
      server.last().head(200);
      server.last().data({ type: 'ADDED', object: { metadata: { name: 'c' } } });
      server.last().end();
      expect(told).toEqual(['open', ['ADDED', 'c'], ['end', undefined]]);
    });

    it('turns an ERROR event into an error, and hears nothing after it', () => {
      const { told } = watched();
      server.last().head(200);
      server.last().data({ type: 'ERROR', object: failure(410, 'Expired') });
      server.last().data({ type: 'ADDED', object: { metadata: { name: 'c' } } });
      expect(told).toMatchObject(['open', { type: 'ERROR', error: { code: 'gone' } }, ['end', 'gone']]);
    });

    it('turns a refused watch into an error', () => {
      const { told } = watched();
      server.last().answer(403, failure(403, 'Forbidden'));
      expect(told).toEqual([['end', 'forbidden']]);
    });

    it.each([
      ['a line that is no JSON', 'x\n', 'malformed'],
      ['an unknown type', '{"type":"SYNC","object":{"metadata":{}}}\n', 'malformed'],
      ['an event without an object', '{"type":"ADDED"}\n', 'malformed'],
    ])('ends at %s', (_, line, code) => {
      const { told } = watched();
      server.last().head(200);
      server.last().data(line);
      expect(told).toEqual(['open', ['end', code]]);
      expect(server.last().isCancelled()).toBe(true);
    });

    it('takes a stream that is cut off within a line for broken', () => {
      const { told } = watched();
      server.last().head(200);
      server.last().data('{"type":"ADD');
      server.last().end();
      expect(told).toEqual(['open', ['end', 'unreachable']]);
    });

    it('is silent after a cancel', async () => {
      const { told, cancel } = watched();
      server.last().head(200);
      cancel();
      server.last().data({ type: 'ADDED', object: { metadata: { name: 'c' } } });
      await machine.advance(60_000);
      expect(told).toEqual(['open']);
    });
  });
});
