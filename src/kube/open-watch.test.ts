import { beforeEach, describe, expect, it } from 'vitest';
import { type ClientBench, createClientBench, failure } from '../../test/support/client-bench.ts';
import type { ConfigMap } from '../objects/index.ts';
import type { WatchEvent } from './client-types.ts';
import { ApiError } from './errors.ts';
import { resources } from './resources.ts';

const { configmaps } = resources;

describe('watching', () => {
  let bench: ClientBench;
  beforeEach(() => {
    bench = createClientBench();
  });

  const watched = (): { readonly told: unknown[]; readonly cancel: () => void } => {
    const told: unknown[] = [];
    const cancel = bench.client.watch(
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
    expect(bench.server.last().request).toMatchObject({
      purpose: 'watch',
      path: '/api/v1/configmaps?watch=true&resourceVersion=5',
    });
    bench.server.last().head(200);
    bench.server.last().data({ type: 'ADDED', object: { metadata: { name: 'c' } } });
    bench.server.last().end();
    expect(told).toEqual(['open', ['ADDED', 'c'], ['end', undefined]]);
  });

  it('turns an ERROR event into an error, and hears nothing after it', () => {
    const { told } = watched();
    bench.server.last().head(200);
    bench.server.last().data({ type: 'ERROR', object: failure(410, 'Expired') });
    bench.server.last().data({ type: 'ADDED', object: { metadata: { name: 'c' } } });
    expect(told).toMatchObject(['open', { type: 'ERROR', error: { code: 'gone' } }, ['end', 'gone']]);
  });

  it('turns a refused watch into an error', () => {
    const { told } = watched();
    bench.server.last().answer(403, failure(403, 'Forbidden'));
    expect(told).toEqual([['end', 'forbidden']]);
  });

  it.each([
    ['a line that is no JSON', 'x\n', 'malformed'],
    ['an unknown type', '{"type":"SYNC","object":{"metadata":{}}}\n', 'malformed'],
    ['an event without an object', '{"type":"ADDED"}\n', 'malformed'],
  ])('ends at %s', (_, line, code) => {
    const { told } = watched();
    bench.server.last().head(200);
    bench.server.last().data(line);
    expect(told).toEqual(['open', ['end', code]]);
    expect(bench.server.last().isCancelled()).toBe(true);
  });

  it('takes a stream that is cut off within a line for broken', () => {
    const { told } = watched();
    bench.server.last().head(200);
    bench.server.last().data('{"type":"ADD');
    bench.server.last().end();
    expect(told).toEqual(['open', ['end', 'unreachable']]);
  });

  it('is silent after a cancel', async () => {
    const { told, cancel } = watched();
    bench.server.last().head(200);
    cancel();
    bench.server.last().data({ type: 'ADDED', object: { metadata: { name: 'c' } } });
    await bench.machine.advance(60_000);
    expect(told).toEqual(['open']);
  });
});
