import { describe, expect, it } from 'vitest';
import { testClient } from '../../../test/conformance/test-client.ts';

const home = '/api/v1/namespaces/team';

describe('deleting a namespace', () => {
  it('takes everything in it along, waits for the nodes, and lets nothing new in', async () => {
    const client = testClient();
    client.post('/api/v1/namespaces', { metadata: { name: 'team' } });
    client.post(`${home}/configmaps`, { metadata: { name: 'c' } });
    client.post(`${home}/pods`, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'a' }] } });
    client.post(`${home}/pods/p/binding`, { target: { name: 'n' } });

    expect(client.delete(home).body).toMatchObject({ status: { phase: 'Terminating' } });
    expect(client.post(`${home}/configmaps`, { metadata: { name: 'late' } })).toMatchObject({
      status: 403,
      body: { details: { causes: [{ reason: 'NamespaceTerminating' }] } },
    });
    await client.platform.advance(10);
    expect(client.get(`${home}/configmaps/c`).status).toBe(404);
    expect(client.get(`${home}/pods/p`).body).toMatchObject({ metadata: { deletionGracePeriodSeconds: 30 } });
    // A change of a namespace that is on its way out is no reason to go.
    expect(client.patch(home, 'merge', { metadata: { labels: { a: 'b' } } }).status).toBe(200);
    expect(client.get(home).status).toBe(200);

    client.delete(`${home}/pods/p`, { gracePeriodSeconds: 0 });
    await client.platform.advance(10);
    expect(client.get(home).status).toBe(404);
  });

  it('spares those that every cluster needs', () => {
    expect(testClient().delete('/api/v1/namespaces/default')).toMatchObject({
      status: 403,
      body: { message: 'namespaces "default" is forbidden: this namespace may not be deleted' },
    });
  });
});
