import { beforeEach, describe, expect, it } from 'vitest';
import { type ClientBench, createClientBench, failure } from '../../test/support/client-bench.ts';
import type { ConfigMap } from '../objects/index.ts';
import { resources } from './resources.ts';

const { configmaps } = resources;
const aConfigMap: ConfigMap = { metadata: { namespace: 'ns', name: 'c' } };
const ref = { namespace: 'ns', name: 'c' };

describe('a client', () => {
  let bench: ClientBench;
  beforeEach(() => {
    bench = createClientBench();
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
      const error = await bench.failed(
        bench.answered(bench.client.get(configmaps, ref), status, failure(status, reason, { details })),
      );
      expect(error).toMatchObject({ status, reason, code, retry, message: `because ${reason}`, details });
    });

    it('with the text of an answer that is no Status', async () => {
      const error = await bench.failed(bench.answered(bench.client.get(configmaps, ref), 404, '404 page not found\n'));
      expect(error).toMatchObject({ code: 'not-found', message: 'the API server answered 404: 404 page not found' });
    });

    it('when no connection comes about, or it breaks', async () => {
      const work = bench.client.get(configmaps, ref);
      bench.server.last().end(new Error('connect ECONNREFUSED'));
      expect(await bench.failed(work)).toMatchObject({
        code: 'unreachable',
        retry: 'back-off',
        message: 'cannot reach the API server: connect ECONNREFUSED',
      });
      const cut = bench.client.get(configmaps, ref);
      bench.server.last().end();
      expect((await bench.failed(cut)).code).toBe('unreachable');
    });

    it('when no whole answer comes within 30 s, and lets go of the request', async () => {
      const work = bench.failed(bench.client.get(configmaps, ref));
      bench.server.last().head(200);
      bench.server.last().data('{');
      await bench.machine.advance(30_000);
      expect(await work).toMatchObject({ code: 'timeout', status: undefined });
      expect(bench.server.last().isCancelled()).toBe(true);
    });

    it('when the answer is not JSON', async () => {
      expect((await bench.failed(bench.answered(bench.client.get(configmaps, ref), 200, '<html>'))).code).toBe(
        'malformed',
      );
    });
  });

  describe('told to come back later', () => {
    it.each([429, 503])('waits as long as %s says, and asks again', async (status) => {
      const work = bench.client.get(configmaps, ref);
      bench.server.last().answer(status, failure(status, 'Busy'), { 'retry-after': '2' });
      await bench.machine.advance(1999);
      expect(bench.server.exchanges).toHaveLength(1);
      await bench.machine.advance(1);
      expect(bench.server.exchanges).toHaveLength(2);
      expect(await bench.answered(work, 200, { metadata: {} })).toEqual({ metadata: {} });
    });

    it('repeats a create too, as the server did nothing', async () => {
      const work = bench.client.create(configmaps, aConfigMap);
      bench.server.last().answer(429, failure(429, 'Busy'), { 'retry-after': '1' });
      await bench.machine.advance(1000);
      expect(bench.server.exchanges.map(({ request }) => request.method)).toEqual(['POST', 'POST']);
      await bench.answered(work, 201, { metadata: {} });
    });

    it('gives up after five repeats', async () => {
      const work = bench.failed(bench.client.get(configmaps, ref));
      for (let i = 0; i < 6; i++) {
        bench.server.last().answer(429, failure(429, 'Busy'), { 'retry-after': '1' });
        await bench.machine.advance(1000);
      }
      expect(await work).toMatchObject({ code: 'too-many-requests', retryAfterMs: 1000 });
      expect(bench.server.exchanges).toHaveLength(6);
    });

    it('repeats nothing else: not a 500, not a 409, not a broken connection', async () => {
      for (const status of [500, 409, 504]) {
        await bench.failed(bench.answered(bench.client.create(configmaps, aConfigMap), status, failure(status, 'X')));
      }
      const broken = bench.client.create(configmaps, aConfigMap);
      bench.server.last().end(new Error('ECONNRESET'));
      await bench.failed(broken);
      await bench.machine.advance(60_000);
      expect(bench.server.exchanges).toHaveLength(4);
    });
  });
});
