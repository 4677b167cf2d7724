import { describe, expect, it } from 'vitest';
import { testClient } from '../../../test/conformance/test-client.ts';
import { valueAt } from './kinds/fields.ts';

const pods = '/api/v1/namespaces/default/pods';
const configMaps = '/api/v1/namespaces/default/configmaps';
const pod = (name: string): unknown => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'engine:v1' }] },
});

describe('a bare API server', () => {
  it('stores what is created and answers it again', () => {
    const client = testClient();
    const created = client.post(pods, pod('a'));
    expect(created).toMatchObject({ status: 201, body: { kind: 'Pod', metadata: { name: 'a', generation: 1 } } });
    expect(client.get(`${pods}/a`).body).toEqual(created.body);
    expect(client.get(pods).body).toMatchObject({ kind: 'PodList', items: [{ metadata: { name: 'a' } }] });
  });

  it('tells a watcher of every change after the version of its list', () => {
    const client = testClient();
    client.post(configMaps, { metadata: { name: 'before' } });
    const version = valueAt(client.get(configMaps).body, 'metadata.resourceVersion');
    client.post(configMaps, { metadata: { name: 'between' } });
    const { lines } = client.watch(`${configMaps}?watch=true&resourceVersion=${version}`);
    client.patch(`${configMaps}/before`, 'merge', { data: { a: '1' } });
    client.delete(`${configMaps}/between`);
    expect(lines.map(({ type, object }) => [type, object.metadata['name']])).toEqual([
      ['ADDED', 'between'],
      ['MODIFIED', 'before'],
      ['DELETED', 'between'],
    ]);
  });

  it('binds a Pod once, ends it gracefully, and removes it when its node confirms', () => {
    const client = testClient();
    client.post(pods, pod('a'));
    const target = { target: { kind: 'Node', name: 'n1' } };
    expect(client.post(`${pods}/a/binding`, target).status).toBe(201);
    expect(client.post(`${pods}/a/binding`, target).status).toBe(409);
    expect(client.delete(`${pods}/a`, { gracePeriodSeconds: 5 }).body).toMatchObject({
      metadata: { deletionTimestamp: '2026-01-01T00:00:05Z', deletionGracePeriodSeconds: 5 },
    });
    expect(client.get(`${pods}/a`).status).toBe(200);
    client.delete(`${pods}/a`, { gracePeriodSeconds: 0 });
    expect(client.get(`${pods}/a`).status).toBe(404);
  });

  it('notes who committed what', () => {
    const client = testClient();
    client.post(configMaps, { metadata: { name: 'a' } });
    client.patch(`${configMaps}/a`, 'merge', {});
    client.delete(`${configMaps}/a`);
    const mine = client.server.ledger.filter((entry) => entry.userName === 'tester');
    expect(mine.map(({ verb, resource, name }) => [verb, resource, name])).toEqual([
      ['create', 'configmaps', 'a'],
      ['delete', 'configmaps', 'a'],
    ]);
  });
});
