import { beforeEach, describe, expect, it } from 'vitest';
import { createScriptedTransport, type ScriptedTransport } from '../../test/support/scripted-transport.ts';
import type { TransportRequest } from '../platform/index.ts';
import { createVirtualPlatform, type VirtualPlatform } from '../simulation/index.ts';
import { authorizedTransport } from './authorized-transport.ts';
import { fileToken } from './token-source.ts';

const request: TransportRequest = { method: 'POST', path: '/x', headers: { a: 'b' }, body: '{}', purpose: 'request' };

describe('a transport with a token from a file', () => {
  let machine: VirtualPlatform;
  let server: ScriptedTransport;
  let file: string | Error;
  let reads: number;
  let told: string[];
  let send: () => () => void;

  beforeEach(() => {
    machine = createVirtualPlatform();
    server = createScriptedTransport();
    file = 'one\n';
    reads = 0;
    told = [];
    const files = {
      read: async (): Promise<Uint8Array> => {
        reads++;
        if (file instanceof Error) throw file;
        return Buffer.from(file);
      },
    };
    const transport = authorizedTransport(server, fileToken({ files, clock: machine.clock, path: '/token' }));
    send = () =>
      transport.send(request, {
        onHead: ({ status }) => told.push(`head ${status}`),
        onData: (chunk) => told.push(`data ${Buffer.from(chunk).toString()}`),
        onEnd: (error) => told.push(`end ${error?.message}`),
      });
  });

  const settle = (): Promise<void> => machine.advance(0);
  const token = (): string | undefined => server.last().request.headers['authorization'];

  it('puts the token on every request and passes everything on', async () => {
    send();
    await settle();
    expect(server.last().request).toEqual({ ...request, headers: { a: 'b', authorization: 'Bearer one' } });
    server.last().answer(200, 'ok');
    expect(told).toEqual(['head 200', 'data ok', 'end undefined']);
  });

  it('reads the file at most once a minute, and once for requests at the same time', async () => {
    send();
    send();
    await settle();
    file = 'two';
    await machine.advance(59_999);
    send();
    await settle();
    expect([reads, token()]).toEqual([1, 'Bearer one']);
    await machine.advance(1);
    send();
    await settle();
    expect([reads, token()]).toEqual([2, 'Bearer two']);
  });

  it('reads it at once after a 401 and sends the request again, unseen by the caller', async () => {
    send();
    await settle();
    file = 'two';
    server.last().answer(401, 'no');
    await settle();
    expect([server.exchanges.length, token(), told]).toEqual([2, 'Bearer two', []]);
    server.last().answer(201, 'ok');
    expect(told).toEqual(['head 201', 'data ok', 'end undefined']);
  });

  it('passes a second 401 on', async () => {
    send();
    await settle();
    server.last().answer(401, 'no');
    await settle();
    server.last().answer(401, 'still no');
    await settle();
    expect([server.exchanges.length, told]).toEqual([2, ['head 401', 'data still no', 'end undefined']]);
  });

  it('keeps the last good token while the file cannot be read, and tries again with the next request', async () => {
    send();
    await settle();
    file = new Error('gone');
    await machine.advance(60_000);
    send();
    await settle();
    expect(token()).toBe('Bearer one');
    file = 'two';
    send();
    await settle();
    expect(token()).toBe('Bearer two');
  });

  it('fails the request where no token was ever there', async () => {
    file = '  \n';
    send();
    await settle();
    expect([server.exchanges.length, told]).toEqual([0, ['end the token file /token is empty']]);
  });

  it.each([
    ['before the token is there', false],
    ['after it was sent', true],
  ])('is silent after a cancel %s', async (_, isSent) => {
    const cancel = send();
    if (isSent) await settle();
    cancel();
    await settle();
    for (const exchange of server.exchanges) exchange.answer(401, 'no');
    await settle();
    expect([told, server.exchanges.length]).toEqual([[], isSent ? 1 : 0]);
  });
});
