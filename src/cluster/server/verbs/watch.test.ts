import { describe, expect, it } from 'vitest';
import { testClient } from '../../../../test/conformance/test-client.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const named = (name: string, labels: Readonly<Record<string, string>> = {}): object => ({ metadata: { name, labels } });

const seen = (lines: readonly { type: string; object: { metadata: Readonly<Record<string, unknown>> } }[]): unknown =>
  lines.map(({ type, object }) => `${type} ${String(object.metadata['name'])}`);

describe('a watch', () => {
  it('without version first shows what is there', () => {
    const client = testClient();
    client.post(configMaps, named('a'));
    const { lines } = client.watch(`${configMaps}?watch=1`);
    client.post(configMaps, named('b'));
    expect(seen(lines)).toEqual(['ADDED a', 'ADDED b']);
  });

  it('sees an object that enters its selector as added, and one that leaves as deleted, at the new version', () => {
    const client = testClient();
    client.post(configMaps, named('a'));
    const { lines } = client.watch(`${configMaps}?watch=1&labelSelector=on%3Dyes`);
    client.patch(`${configMaps}/a`, 'merge', { metadata: { labels: { on: 'yes' } } });
    const left = client.patch(`${configMaps}/a`, 'merge', { metadata: { labels: { on: 'no' } } });
    expect(seen(lines)).toEqual(['ADDED a', 'DELETED a']);
    const { resourceVersion } = (left.body as { metadata: { resourceVersion: string } }).metadata;
    expect(lines.at(-1)?.object.metadata).toMatchObject({ resourceVersion, labels: { on: 'yes' } });
  });

  it('shows a deletion with the last state and the version of the deletion', () => {
    const client = testClient();
    const { body } = client.post(configMaps, named('a'));
    const { lines } = client.watch(`${configMaps}?watch=1`);
    client.delete(`${configMaps}/a`);
    const created = Number((body as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
    expect(lines.at(-1)).toMatchObject({
      type: 'DELETED',
      object: { metadata: { resourceVersion: String(created + 1) } },
    });
  });

  it('is silent about writes that change nothing', () => {
    const client = testClient();
    client.post(configMaps, named('a', { x: 'y' }));
    const { lines } = client.watch(`${configMaps}?watch=1`);
    client.patch(`${configMaps}/a`, 'merge', { metadata: { labels: { x: 'y' } } });
    expect(seen(lines)).toEqual(['ADDED a']);
  });

  it('bookmarks once a minute and shortly before it times out, then ends cleanly', async () => {
    const client = testClient();
    const { lines, ended } = client.watch(`${configMaps}?watch=1&allowWatchBookmarks=true&timeoutSeconds=130`);
    await client.platform.advance(61_000);
    client.post('/api/v1/namespaces/default/secrets', named('s'));
    await client.platform.advance(68_000);
    expect(lines.map(({ type }) => type)).toEqual(['BOOKMARK', 'BOOKMARK', 'BOOKMARK']);
    const versions = lines.map(({ object }) => Number(object.metadata['resourceVersion']));
    expect(versions[1]).toBe((versions[0] ?? 0) + 1);
    expect(ended()).toBe(false);
    await client.platform.advance(1000);
    expect(ended()).toBe(true);
  });

  it('lives 30 to 60 minutes where it names no time', async () => {
    const client = testClient();
    const { ended } = client.watch(`${configMaps}?watch=1`);
    await client.platform.advance(30 * 60_000 - 1);
    expect(ended()).toBe(false);
    await client.platform.advance(30 * 60_000 + 1);
    expect(ended()).toBe(true);
  });

  it('ends with 410 where its history is forgotten', () => {
    const client = testClient({ historyLimit: 10 });
    client.post(configMaps, named('first'));
    for (let index = 0; index < 20; index += 1) client.post(configMaps, named(`c${index}`));
    const { lines, ended } = client.watch(`${configMaps}?watch=1&resourceVersion=5`);
    expect(lines).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }]);
    expect(ended()).toBe(true);
  });

  it('of one name sees that object alone', () => {
    const client = testClient();
    client.post(configMaps, named('a'));
    client.post(configMaps, named('b'));
    expect(seen(client.watch(`${configMaps}?watch=1&fieldSelector=metadata.name%3Db`).lines)).toEqual(['ADDED b']);
    expect(seen(client.watch(`${configMaps}/a?watch=1`).lines)).toEqual(['ADDED a']);
  });

  it('costs nothing after it was stopped', () => {
    const client = testClient();
    const { lines, stop } = client.watch(`${configMaps}?watch=1`);
    stop();
    client.post(configMaps, named('a'));
    expect(lines).toEqual([]);
  });
});

describe('a list', () => {
  it('in pages shows one state, however much is written between them', () => {
    const client = testClient();
    for (const name of ['a', 'b', 'c', 'd']) client.post(configMaps, named(name));
    interface Page {
      readonly metadata: { readonly continue?: string; readonly remainingItemCount?: number };
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
    }
    const first = client.get(`${configMaps}?limit=2`).body as Page;
    client.delete(`${configMaps}/c`);
    client.post(configMaps, named('bb'));
    const second = client.get(`${configMaps}?limit=2&continue=${first.metadata.continue}`).body as Page;
    expect(first.metadata.remainingItemCount).toBe(2);
    expect([...first.items, ...second.items].map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c', 'd']);
    expect(second.metadata).not.toHaveProperty('continue');
  });

  it('at exactly a version shows that version', () => {
    const client = testClient();
    const { body } = client.post(configMaps, named('a'));
    const { resourceVersion } = (body as { metadata: { resourceVersion: string } }).metadata;
    client.post(configMaps, named('b'));
    expect(
      client.get(`${configMaps}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`).body,
    ).toMatchObject({
      metadata: { resourceVersion },
      items: [{ metadata: { name: 'a' } }],
    });
  });

  it('refuses combinations that mean nothing', () => {
    const { get } = testClient();
    expect(get(`${configMaps}?resourceVersionMatch=Exact`).status).toBe(422);
    expect(get(`${configMaps}?resourceVersion=0&resourceVersionMatch=Exact`).status).toBe(422);
    expect(get(`${configMaps}?sendInitialEvents=true`).status).toBe(422);
    expect(get(`${configMaps}?resourceVersion=x`).status).toBe(422);
  });

  it('over all namespaces is ordered by namespace and name', () => {
    const client = testClient();
    client.post('/api/v1/namespaces/kube-system/configmaps', named('a'));
    client.post(configMaps, named('z'));
    const { items } = client.get('/api/v1/configmaps').body as { items: readonly { metadata: { name: string } }[] };
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['z', 'a']);
  });
});
