import { describe, expect, it } from 'vitest';
import { testClient } from '../../../../test/conformance/test-client.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'a' }] } };

describe('a create', () => {
  it('ignores what only the server says', () => {
    const metadata = {
      name: 'a',
      uid: 'mine',
      creationTimestamp: '1999-01-01T00:00:00Z',
      generation: 7,
      selfLink: 'x',
    };
    const { body } = testClient().post(configMaps, { metadata });
    expect(body).toMatchObject({ metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } });
    const stored = (body as { metadata: Readonly<Record<string, unknown>> }).metadata;
    expect(stored['uid']).toMatch(/^[0-9a-f-]{36}$/);
    expect(stored).not.toHaveProperty('generation');
    expect(stored).not.toHaveProperty('selfLink');
  });

  it('gives the same names and UIDs to the same run', () => {
    const run = (): unknown => testClient().post(configMaps, { metadata: { generateName: 'a-' } }).body;
    expect(run()).toEqual(run());
  });

  it.each([
    ['a label value that is none', { labels: { a: 'not ok' } }, 'metadata.labels'],
    ['an annotation key that is none', { annotations: { 'a b': '' } }, 'metadata.annotations'],
    [
      'an owner without UID',
      { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '' }] },
      'metadata.ownerReferences[0].uid',
    ],
    ['a finalizer that is no name', { finalizers: ['not ok'] }, 'metadata.finalizers'],
    ['a name too long', { name: 'a'.repeat(254) }, 'metadata.name'],
  ])('is refused with %s', (_, metadata, field) => {
    expect(testClient().post(configMaps, { metadata: { name: 'a', ...metadata } })).toMatchObject({
      status: 422,
      body: { details: { causes: [{ field }] } },
    });
  });

  it('is refused without a name, with a body that is no JSON, and with one of another version', () => {
    const { post } = testClient();
    expect(post(configMaps, { metadata: {} })).toMatchObject({
      status: 422,
      body: { message: 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required' },
    });
    expect(post(configMaps, undefined).status).toBe(400);
    expect(post(configMaps, { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'a' } }).status).toBe(400);
  });

  it('that only tries is not stored, and takes no version', () => {
    const { post, get, server } = testClient();
    const before = server.ledger.length;
    const { status, body } = post(`${configMaps}?dryRun=All`, { metadata: { name: 'a' } });
    expect(status).toBe(201);
    expect((body as { metadata: object }).metadata).not.toHaveProperty('resourceVersion');
    expect(get(`${configMaps}/a`).status).toBe(404);
    expect(server.ledger).toHaveLength(before);
  });

  it('may hide what it does not know, if asked to ignore it', () => {
    const { post } = testClient();
    const odd = { ...pod, spec: { ...pod.spec, bogus: 1 } };
    expect(post(`${pods}?fieldValidation=Strict`, odd).status).toBe(400);
    expect(post(`${pods}?fieldValidation=Ignore`, odd)).toMatchObject({ status: 201, headers: undefined });
    expect(post(`${pods}?fieldValidation=Perhaps`, odd).status).toBe(422);
  });
});

describe('admission', () => {
  it('rewrites what is stored, which is completed again', () => {
    const { server, post } = testClient();
    server.admission({
      name: 'inject.example.com',
      admit: ({ object, resource, operation }) => {
        if (resource !== 'pods' || operation !== 'CREATE' || object === undefined) return { allowed: true };
        const { spec } = object as unknown as typeof pod;
        const containers = [...spec.containers, { name: 'sidecar', image: 'proxy:v1' }];
        return { allowed: true, object: { ...object, ...{ spec: { ...spec, containers } } }, warnings: ['injected'] };
      },
    });
    expect(post(pods, pod)).toMatchObject({
      headers: { warning: '299 - "injected"' },
      body: { spec: { containers: [{}, { name: 'sidecar', imagePullPolicy: 'IfNotPresent' }] } },
    });
  });

  it('refuses as a webhook does, but after the schema', () => {
    const { server, post } = testClient();
    const cancel = server.admission({
      name: 'no.example.com',
      admit: () => ({ allowed: false, message: 'not today' }),
    });
    expect(post(pods, pod)).toMatchObject({
      status: 403,
      body: { reason: 'Forbidden', message: 'admission webhook "no.example.com" denied the request: not today' },
    });
    expect(post(pods, { ...pod, spec: { containers: [] } }).status).toBe(422);
    cancel();
    expect(post(pods, pod).status).toBe(201);
  });

  it('is asked about updates, subresources and deletions with the object as it was', () => {
    const { server, post, patch, delete: remove } = testClient();
    const asked: unknown[] = [];
    server.admission({
      name: 'look.example.com',
      admit: ({ operation, subresource, oldObject }) => {
        asked.push([operation, subresource, oldObject?.metadata.name]);
        return operation === 'DELETE' ? { allowed: false, code: 422, message: 'stay' } : { allowed: true };
      },
    });
    post(pods, pod);
    patch(`${pods}/p/status`, 'merge', { status: { phase: 'Running' } });
    expect(remove(`${pods}/p`)).toMatchObject({ status: 422, body: { reason: 'Invalid' } });
    expect(asked).toEqual([
      ['CREATE', undefined, undefined],
      ['UPDATE', 'status', 'p'],
      ['DELETE', undefined, 'p'],
    ]);
  });
});

describe('a patch', () => {
  it('that makes an object unreadable is invalid itself', () => {
    const { post, patch } = testClient();
    post(pods, pod);
    expect(patch(`${pods}/p`, 'merge', { spec: { containers: 'none' } })).toMatchObject({
      status: 422,
      body: { details: { causes: [{ field: 'patch' }] } },
    });
  });

  it('keeps the defaults of what it does not touch, and takes away what it sets to null', () => {
    const { post, patch } = testClient();
    post(configMaps, { metadata: { name: 'a', labels: { x: 'y' } }, data: { a: '1' } });
    const { body } = patch(`${configMaps}/a`, 'merge', { metadata: { labels: null }, data: null });
    expect((body as { metadata: object }).metadata).not.toHaveProperty('labels');
    expect(body).not.toHaveProperty('data');
  });

  it('of the kind that the server does not do answers 501', () => {
    const { server } = testClient();
    const request = {
      method: 'PATCH' as const,
      segments: `${configMaps}/a`.split('/').filter(Boolean),
      query: new URLSearchParams(),
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: new TextEncoder().encode('{}'),
      userName: 'tester',
    };
    expect(server.handle(request)).toMatchObject({
      status: 501,
      body: { message: 'the embedded cluster does not support server-side apply' },
    });
  });
});
