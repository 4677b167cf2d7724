import { describe, expect, it } from 'vitest';
import { testClient } from '../../../../test/conformance/test-client.ts';
import type { ResponseHead } from '../../../platform/index.ts';
import type { ApiServer } from '../server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const createA = { method: 'POST', path: configMaps, body: JSON.stringify({ metadata: { name: 'a' } }) } as const;

interface Seen {
  readonly head?: ResponseHead;
  readonly text: string;
  readonly error?: Error | undefined;
  readonly ended: boolean;
}

const send = (
  server: ApiServer,
  request: { readonly method: 'GET' | 'POST' | 'DELETE'; readonly path: string; readonly body?: string },
): (() => Seen) => {
  let seen: Seen = { text: '', ended: false };
  const decoder = new TextDecoder();
  server.connect('operator').send(
    { ...request, headers: {}, purpose: 'request' },
    {
      onHead: (head) => {
        seen = { ...seen, head };
      },
      onData: (chunk) => {
        seen = { ...seen, text: seen.text + decoder.decode(chunk) };
      },
      onEnd: (error) => {
        seen = { ...seen, error, ended: true };
      },
    },
  );
  return () => seen;
};

describe('faults of the API server', () => {
  it('lose a request before the server has it, and a reply after it has done what it says', async () => {
    const { server, platform, get } = testClient();
    const stop = server.faults.onRequest(({ method }) => (method === 'POST' ? { fault: 'lose-request' } : undefined));
    const lost = send(server, createA);
    await platform.advance(1);
    expect(lost().error).toMatchObject({ code: 'ECONNRESET' });
    expect(get(`${configMaps}/a`).status).toBe(404);

    stop();
    server.faults.onRequest(({ method }) => (method === 'POST' ? { fault: 'lose-reply' } : undefined));
    const unanswered = send(server, createA);
    await platform.advance(1);
    expect(unanswered()).toMatchObject({ ended: true, text: '', error: { code: 'ECONNRESET' } });
    expect(get(`${configMaps}/a`).status).toBe(200);
  });

  it('delay a request and its reply apart, and add up', async () => {
    const { server, platform, get } = testClient();
    server.faults.onRequest(() => [
      { fault: 'delay-request', ms: 100 },
      { fault: 'delay-reply', ms: 50 },
    ]);
    const seen = send(server, createA);
    await platform.advance(99);
    expect(get(`${configMaps}/a`).status).toBe(404);
    await platform.advance(2);
    expect(get(`${configMaps}/a`).status).toBe(200);
    expect(seen().ended).toBe(false);
    await platform.advance(51);
    expect(seen()).toMatchObject({ ended: true, head: { status: 201 } });
  });

  it('refuse with the Status and the Retry-After of a busy server', async () => {
    const { server, platform } = testClient();
    server.faults.onRequest(({ resource }) =>
      resource === 'configmaps' ? { fault: 'answer', status: 429 } : undefined,
    );
    const seen = send(server, createA);
    await platform.advance(1);
    expect(seen().head).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(JSON.parse(seen().text)).toMatchObject({ kind: 'Status', reason: 'TooManyRequests', code: 429 });
  });

  it('let someone else be faster: a PUT meets a conflict, a patch is applied to what is there now', () => {
    const client = testClient();
    const { body } = client.post(configMaps, { metadata: { name: 'a' } });
    let races = 0;
    client.server.faults.beforeCommit(({ verb }) => {
      if (races > 0) return;
      races += 1;
      client.patch(`${configMaps}/a`, 'merge', { data: { theirs: verb } });
    });
    expect(client.put(`${configMaps}/a`, { ...Object(body), data: { mine: '1' } }).status).toBe(409);
    races = 0;
    expect(client.patch(`${configMaps}/a`, 'merge', { data: { mine: '2' } }).body).toMatchObject({
      data: { theirs: 'patch', mine: '2' },
    });
  });

  it('hold watch events back, drop the ones between, and end watches', async () => {
    const { server, platform, post, patch } = testClient();
    post(configMaps, { metadata: { name: 'a' } });
    server.faults.onRequest(({ isWatch }) => (isWatch ? { fault: 'lag-watch', ms: 1000, coalesce: true } : undefined));
    const seen = send(server, { method: 'GET', path: `${configMaps}?watch=true` });
    await platform.advance(1100);
    for (const value of ['1', '2', '3']) patch(`${configMaps}/a`, 'merge', { data: { value } });
    await platform.advance(900);
    const lines = (): readonly { type: string; object: { data?: unknown } }[] =>
      seen()
        .text.trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    expect(lines()).toHaveLength(1);
    await platform.advance(200);
    expect(lines().map(({ type, object }) => [type, object.data])).toEqual([
      ['ADDED', undefined],
      ['MODIFIED', { value: '3' }],
    ]);
    server.faults.closeWatches('configmaps');
    await platform.advance(1);
    expect(seen()).toMatchObject({ ended: true, error: undefined });
  });

  it('forget history: an old watch ends with 410, an old page of a list is refused', () => {
    const { server, post, get, watch } = testClient();
    post(configMaps, { metadata: { name: 'a' } });
    post(configMaps, { metadata: { name: 'b' } });
    const page = get(`${configMaps}?limit=1`).body as { metadata: { resourceVersion: string; continue: string } };
    post(configMaps, { metadata: { name: 'c' } });
    server.faults.compact();
    const { lines, ended } = watch(`${configMaps}?watch=true&resourceVersion=${page.metadata.resourceVersion}`);
    expect(lines).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
    expect(ended()).toBe(true);
    expect(get(`${configMaps}?limit=1&continue=${page.metadata.continue}`)).toMatchObject({ status: 410 });
  });

  it('show reads of any version the state of an older server', () => {
    const { server, post, get } = testClient();
    const { body } = post(configMaps, { metadata: { name: 'a' } });
    const { resourceVersion } = (body as { metadata: { resourceVersion: string } }).metadata;
    post(configMaps, { metadata: { name: 'b' } });
    server.faults.serveStale(resourceVersion);
    expect(get(`${configMaps}?resourceVersion=0`).body).toMatchObject({
      metadata: { resourceVersion },
      items: [{ metadata: { name: 'a' } }],
    });
    expect(get(configMaps).body).toMatchObject({ items: [{}, {}] });
  });
});
