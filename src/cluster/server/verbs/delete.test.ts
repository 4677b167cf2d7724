import { describe, expect, it } from 'vitest';
import { type TestClient, testClient } from '../../../../test/conformance/test-client.ts';

const pods = '/api/v1/namespaces/default/pods';
const configMaps = '/api/v1/namespaces/default/configmaps';

const boundPod = (client: TestClient): void => {
  client.post(pods, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'a' }] } });
  client.post(`${pods}/p/binding`, { target: { name: 'n' } });
};

describe('deleting a Pod', () => {
  it('may be hurried and not slowed down', () => {
    const client = testClient();
    boundPod(client);
    const grace = (seconds?: number): unknown =>
      (
        client.delete(`${pods}/p`, seconds === undefined ? {} : { gracePeriodSeconds: seconds }).body as {
          metadata: object;
        }
      ).metadata;
    expect(grace()).toMatchObject({
      deletionGracePeriodSeconds: 30,
      deletionTimestamp: '2026-01-01T00:00:30Z',
      generation: 2,
    });
    expect(grace(60)).toMatchObject({ deletionGracePeriodSeconds: 30 });
    expect(grace(5)).toMatchObject({ deletionGracePeriodSeconds: 5, deletionTimestamp: '2026-01-01T00:00:05Z' });
    expect(grace()).toMatchObject({ deletionGracePeriodSeconds: 5 });
  });

  it('is over at once where it has ended or its grace is none, and shows its watchers both steps', () => {
    const client = testClient();
    boundPod(client);
    client.patch(`${pods}/p/status`, 'merge', { status: { phase: 'Failed' } });
    const { lines } = client.watch(`${pods}?watch=1`);
    client.delete(`${pods}/p`);
    expect(lines.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(client.get(`${pods}/p`).status).toBe(404);
  });

  it('waits for its finalizers even after its node has let go', () => {
    const client = testClient();
    boundPod(client);
    client.patch(`${pods}/p`, 'merge', { metadata: { finalizers: ['example.com/hold'] } });
    client.delete(`${pods}/p`, { gracePeriodSeconds: 0 });
    expect(client.get(`${pods}/p`).body).toMatchObject({ metadata: { deletionGracePeriodSeconds: 0 } });
    client.patch(`${pods}/p`, 'merge', { metadata: { finalizers: null } });
    expect(client.get(`${pods}/p`).status).toBe(404);
  });
});

describe('a delete', () => {
  it('spares an object that is not the one meant, or no longer as it was', () => {
    const client = testClient();
    const { body } = client.post(configMaps, { metadata: { name: 'a' } });
    const { uid, resourceVersion } = (body as { metadata: { uid: string; resourceVersion: string } }).metadata;
    client.patch(`${configMaps}/a`, 'merge', { data: { a: '1' } });
    expect(client.delete(`${configMaps}/a`, { preconditions: { uid: 'other' } }).status).toBe(409);
    expect(client.delete(`${configMaps}/a`, { preconditions: { uid, resourceVersion } }).status).toBe(409);
    expect(client.delete(`${configMaps}/a`, { preconditions: { uid } }).body).toMatchObject({
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid },
    });
  });

  it('leaves the collector a finalizer where its policy asks for one', () => {
    const client = testClient();
    client.post(configMaps, { metadata: { name: 'a' } });
    expect(client.delete(`${configMaps}/a?propagationPolicy=Orphan`).body).toMatchObject({
      metadata: { finalizers: ['orphan'], deletionTimestamp: '2026-01-01T00:00:00Z' },
    });
    client.post(configMaps, { metadata: { name: 'b', finalizers: ['example.com/x'] } });
    expect(client.delete(`${configMaps}/b`, { propagationPolicy: 'Foreground' }).body).toMatchObject({
      metadata: { finalizers: ['example.com/x', 'foregroundDeletion'] },
    });
    expect(client.delete(`${configMaps}/b`, { propagationPolicy: 'Sideways' }).status).toBe(422);
  });

  it('does nothing when it is a dry run', () => {
    const client = testClient();
    client.post(configMaps, { metadata: { name: 'a' } });
    expect(client.delete(`${configMaps}/a?dryRun=All`).status).toBe(200);
    expect(client.get(`${configMaps}/a`).status).toBe(200);
  });
});

describe('an eviction', () => {
  const evict = (client: TestClient): { readonly status: number; readonly body: unknown } =>
    client.post(`${pods}/p/eviction`, { metadata: { name: 'p' } });
  const budget = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

  const runningPod = (client: TestClient): void => {
    client.post(pods, {
      metadata: { name: 'p', labels: { app: 'x' } },
      spec: { containers: [{ name: 'c', image: 'a' }] },
    });
    client.post(`${pods}/p/binding`, { target: { name: 'n' } });
    const conditions = [{ type: 'Ready', status: 'True' }];
    client.patch(`${pods}/p/status`, 'merge', { status: { phase: 'Running', conditions } });
  };

  it('deletes gracefully and leaves its reason on the Pod', () => {
    const client = testClient();
    runningPod(client);
    expect(evict(client).status).toBe(201);
    expect(client.get(`${pods}/p`).body).toMatchObject({
      metadata: { deletionGracePeriodSeconds: 30 },
      status: { conditions: [{ type: 'Ready' }, { type: 'DisruptionTarget', reason: 'EvictionByEvictionAPI' }] },
    });
  });

  it('is refused where a budget allows none, and spends one where it does', () => {
    const client = testClient();
    runningPod(client);
    client.post(budget, {
      metadata: { name: 'b' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } },
    });
    const allow = (disruptionsAllowed: number): void => {
      const status = {
        observedGeneration: 1,
        disruptionsAllowed,
        currentHealthy: 1,
        desiredHealthy: 1,
        expectedPods: 1,
      };
      client.patch(`${budget}/b/status`, 'merge', { status });
    };
    allow(0);
    expect(evict(client)).toMatchObject({
      status: 429,
      body: {
        details: { causes: [{ reason: 'DisruptionBudget', message: expect.stringContaining('needs 1 healthy pods') }] },
      },
    });
    allow(1);
    expect(evict(client).status).toBe(201);
    expect(client.get(`${budget}/b`).body).toMatchObject({
      status: { disruptionsAllowed: 0, disruptedPods: { p: expect.anything() } },
    });
  });
});

describe('what the server does not do', () => {
  it('answers 501 and names it', () => {
    const client = testClient();
    boundPod(client);
    expect(client.post(`${pods}/p/exec`, {})).toMatchObject({
      status: 501,
      body: {
        kind: 'Status',
        reason: 'NotImplemented',
        message: 'the embedded cluster does not support the subresource exec of pods',
      },
    });
    expect(client.get('/apis/apps/v1/namespaces/default/deployments')).toMatchObject({
      status: 404,
      body: '404 page not found\n',
    });
  });
});
