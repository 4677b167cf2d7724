import { describe, expect, it } from 'vitest';
import type { ResponseHandlers, Transport, TransportRequest } from '../platform/index.ts';
import { createDisturbances, type DisturbanceRule } from './disturbance.ts';
import { createLink, type LinkOptions, pluralOf, type WriteMoment } from './link.ts';
import { createVirtualPlatform } from './virtual-platform.ts';

const request = (method: TransportRequest['method'], path = '/api/v1/namespaces/a/pods/x'): TransportRequest => ({
  method,
  path,
  headers: {},
  purpose: 'request',
});

const watch = (plural: string): TransportRequest => ({
  ...request('GET', `/api/v1/${plural}?watch=true`),
  purpose: 'watch',
});

const text = (chunk: Uint8Array): string => new TextDecoder().decode(chunk);

/** A link to a server that notes what reaches it, answers requests at once and lets the test feed watches. */
const aLink = (options: Partial<LinkOptions> = {}, ...rules: DisturbanceRule[]) => {
  const machine = createVirtualPlatform();
  const reached: string[] = [];
  const log: string[] = [];
  const watches: ResponseHandlers[] = [];
  const say = (what: string) => log.push(`${machine.clock.monotonic()} ${what}`);
  const server: Transport = {
    send: (incoming, handlers) => {
      reached.push(`${machine.clock.monotonic()} ${incoming.method}`);
      if (incoming.purpose === 'watch') {
        watches.push(handlers);
        return () => say('server: hung up');
      }
      handlers.onHead({ status: 200, headers: {} });
      handlers.onData(new TextEncoder().encode('one'));
      handlers.onData(new TextEncoder().encode('two'));
      handlers.onEnd();
      return () => undefined;
    },
    close: async () => undefined,
  };
  const disturbances = createDisturbances();
  for (const rule of rules) disturbances.add(rule);
  const link = createLink({ server, platform: machine, latencyMs: 10, disturb: disturbances.take, ...options });
  const handlers: ResponseHandlers = {
    onHead: ({ status }) => say(`head ${status}`),
    onData: (chunk) => say(text(chunk)),
    onEnd: (error) => say(error === undefined ? 'end' : `end ${error.message}`),
  };
  const feed = (what: string) => {
    for (const each of watches) each.onData(new TextEncoder().encode(what));
  };
  return { machine, link, reached, log, handlers, feed };
};

const any = (disturbance: DisturbanceRule['disturbance'], times?: number): DisturbanceRule => ({
  matches: () => true,
  disturbance,
  ...(times === undefined ? {} : { times }),
});

describe('a link', () => {
  it('takes its latency each way and keeps the order of an answer', async () => {
    const { machine, link, reached, log, handlers } = aLink();
    link.send(request('POST'), handlers);
    await machine.advance(100);
    expect(reached).toEqual(['10 POST']);
    expect(log).toEqual(['20 head 200', '20 one', '20 two', '20 end']);
  });

  it('keeps that order when simultaneous tasks are shuffled', async () => {
    for (let seed = 0; seed < 30; seed++) {
      const machine = createVirtualPlatform({ seed, ties: 'seeded' });
      const { link, handlers, log } = aLink({ platform: machine });
      link.send(request('POST'), handlers);
      await machine.advance(100);
      expect(log.map((line) => line.split(' ')[1])).toEqual(['head', 'one', 'two', 'end']);
    }
  });

  it('delivers what was sent though nobody waits for the answer any more', async () => {
    const { machine, link, reached, log, handlers } = aLink();
    link.send(request('POST'), handlers)();
    await machine.advance(100);
    expect([reached, log]).toEqual([['10 POST'], []]);
  });

  it('knows the plural in a path', () => {
    expect(pluralOf('/api/v1/namespaces/a/pods/x/status?fieldManager=m')).toBe('pods');
    expect(pluralOf('/api/v1/pods?watch=true')).toBe('pods');
    expect(pluralOf('/api/v1/namespaces/a')).toBe('namespaces');
    expect(pluralOf('/apis/apps/v1/namespaces/a/controllerrevisions')).toBe('controllerrevisions');
  });
});

describe('a disturbed request', () => {
  it('can be lost on the way there, on the way back, or be answered by nobody', async () => {
    const ends: Record<string, [string[], string[]]> = {};
    for (const kind of ['lose-request', 'lose-reply', 'hang'] as const) {
      const { machine, link, reached, log, handlers } = aLink({}, any({ kind }));
      link.send(request('POST'), handlers);
      await machine.advance(100);
      ends[kind] = [reached, log];
    }
    expect(ends).toEqual({
      'lose-request': [[], ['10 end read ECONNRESET']],
      'lose-reply': [['10 POST'], ['20 end read ECONNRESET']],
      hang: [[], []],
    });
  });

  it('can be refused a number of times', async () => {
    const refusal = { kind: 'refuse', code: 403, reason: 'Forbidden', message: 'no' } as const;
    const { machine, link, reached, log, handlers } = aLink({}, any(refusal, 2));
    for (let i = 0; i < 3; i++) link.send(request('POST'), handlers);
    await machine.advance(100);
    expect(log.filter((line) => line.includes('head'))).toEqual(['10 head 403', '10 head 403', '20 head 200']);
    expect(log[1]).toContain('"reason":"Forbidden"');
    expect(reached).toHaveLength(1);
  });

  it('can come late to the server, or late back', async () => {
    const { machine, link, log, handlers, reached } = aLink(
      {},
      any({ kind: 'slow-request', byMs: 1000 }, 1),
      any({ kind: 'slow-reply', byMs: 500 }, 1),
    );
    link.send(request('POST'), handlers);
    link.send(request('PATCH'), handlers);
    await machine.advance(2000);
    expect(reached).toEqual(['10 PATCH', '1010 POST']);
    expect(log.filter((line) => line.endsWith(' end'))).toEqual(['520 end', '1020 end']);
  });
});

describe('watches', () => {
  it('can be closed by resource', async () => {
    const { machine, link, log, handlers } = aLink();
    link.send(watch('pods'), handlers);
    link.send(watch('services'), handlers);
    await machine.advance(100);
    link.closeWatches('services');
    await machine.advance(100);
    expect(log).toEqual(['100 server: hung up', '110 end']);
  });

  it('can fall silent and deliver everything in order when the connection works again', async () => {
    const { machine, link, log, handlers, feed } = aLink();
    link.send(watch('pods'), handlers);
    await machine.advance(100);
    link.stallWatches('pods');
    feed('a');
    await machine.advance(100);
    feed('b');
    await machine.advance(5);
    expect(log).toEqual([]);
    link.resumeWatches();
    feed('c');
    await machine.advance(100);
    expect(log).toEqual(['205 a', '210 b', '215 c']);
  });
});

describe('a process that dies around its second write', () => {
  const dieAt = async (moment: WriteMoment) => {
    const { machine, link, log, handlers, reached } = aLink({
      onWrite: (at, number) => {
        if (at === moment && number === 2) link.cut();
      },
    });
    for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
      link.send(request(method), handlers);
      await machine.advance(50);
    }
    return {
      reached: reached.map((line) => line.split(' ')[1]),
      ends: log.filter((line) => line.endsWith(' end')).length,
    };
  };

  it('has not sent it, or does not learn that it was done, or does nothing after it', async () => {
    expect(await dieAt('before-send')).toEqual({ reached: ['POST'], ends: 1 });
    expect(await dieAt('after-commit')).toEqual({ reached: ['POST', 'PATCH'], ends: 1 });
    expect(await dieAt('after-reply')).toEqual({ reached: ['POST', 'PATCH'], ends: 2 });
  });

  it('leaves nothing behind that was still on the wire, and its watches end', async () => {
    const { machine, link, log, handlers, reached } = aLink();
    link.send(watch('pods'), handlers);
    await machine.advance(50);
    link.send(request('POST'), handlers);
    await machine.advance(5);
    link.cut();
    await machine.advance(100);
    expect([reached, log]).toEqual([['10 GET'], ['55 server: hung up']]);
  });
});
