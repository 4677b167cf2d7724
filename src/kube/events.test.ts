import { beforeEach, describe, expect, it } from 'vitest';
import { createScriptedTransport, type ScriptedTransport } from '../../test/support/scripted-transport.ts';
import { createVirtualPlatform, type VirtualPlatform } from '../simulation/index.ts';
import { createClient } from './client.ts';
import { createEventRecorder, type EventRecorder, type EventReport } from './events.ts';

const report: EventReport = {
  name: 'm.17',
  about: {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { namespace: 'ns', name: 'm', uid: 'u', resourceVersion: '5' },
  },
  type: 'Warning',
  reason: 'TooLate',
  message: 'it took too long',
};

describe('a recorder of events', () => {
  let machine: VirtualPlatform;
  let server: ScriptedTransport;
  let recorder: EventRecorder;
  beforeEach(() => {
    machine = createVirtualPlatform({ startMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678) });
    server = createScriptedTransport();
    const client = createClient({ transport: server, platform: machine });
    recorder = createEventRecorder({ client, platform: machine, component: 'thing-controller', instance: 'pod-1' });
  });

  it('writes an event beside the object it is about, under the given name', async () => {
    const work = recorder.record(report);
    await machine.advance(0);
    expect(server.last().path).toBe('/api/v1/namespaces/ns/events');
    expect(JSON.parse(String(server.last().request.body))).toEqual({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'm.17', namespace: 'ns' },
      involvedObject: {
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        namespace: 'ns',
        name: 'm',
        uid: 'u',
        resourceVersion: '5',
      },
      type: 'Warning',
      reason: 'TooLate',
      message: 'it took too long',
      count: 1,
      firstTimestamp: '2026-01-02T03:04:05Z',
      lastTimestamp: '2026-01-02T03:04:05Z',
      source: { component: 'thing-controller' },
      reportingComponent: 'thing-controller',
      reportingInstance: 'pod-1',
    });
    server.last().answer(201, { metadata: {} });
    expect([await work, recorder.stats()]).toEqual([true, { sent: 1, failed: 0 }]);
  });

  it('puts events about objects of the cluster into the namespace default', async () => {
    const work = recorder.record({ ...report, about: { kind: 'Node', metadata: { name: 'n', uid: 'u' } } });
    await machine.advance(0);
    expect(server.last().path).toBe('/api/v1/namespaces/default/events');
    server.last().answer(201, { metadata: {} });
    await work;
  });

  it('takes an event that exists already for sent', async () => {
    const work = recorder.record(report);
    await machine.advance(0);
    server.last().answer(409, { kind: 'Status', reason: 'AlreadyExists', code: 409 });
    expect([await work, recorder.stats()]).toEqual([true, { sent: 1, failed: 0 }]);
  });

  it('counts a refused event and goes on', async () => {
    const work = recorder.record(report);
    await machine.advance(0);
    server.last().answer(403, { kind: 'Status', reason: 'Forbidden', code: 403 });
    expect([await work, recorder.stats()]).toEqual([false, { sent: 0, failed: 1 }]);
  });

  it('counts an event about an object that was never stored, rather than throwing', async () => {
    expect(await recorder.record({ ...report, about: { metadata: {} } })).toBe(false);
    expect(recorder.stats().failed).toBe(1);
  });

  it('holds nobody up for longer than two seconds', async () => {
    const work = recorder.record(report);
    await machine.advance(2000);
    expect(await work).toBe(false);
    server.last().answer(201, { metadata: {} });
    await machine.advance(0);
    expect(recorder.stats()).toEqual({ sent: 1, failed: 0 });
  });
});
