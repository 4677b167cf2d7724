import { describe, expect, it } from 'vitest';
import { testClient } from '../../../../test/conformance/test-client.ts';

const inDefault = (plural: string): string => `/api/v1/namespaces/default/${plural}`;

describe('Services', () => {
  const services = inDefault('services');
  const spec = { selector: { app: 'x' }, ports: [{ port: 80 }] };

  it('get an address of their own, which an update that does not name it keeps', () => {
    const client = testClient();
    const first = client.post(services, { metadata: { name: 'a' }, spec });
    const second = client.post(services, { metadata: { name: 'b' }, spec });
    expect(first).toMatchObject({
      status: 201,
      body: {
        spec: {
          clusterIP: '10.96.1.1',
          clusterIPs: ['10.96.1.1'],
          ipFamilies: ['IPv4'],
          ipFamilyPolicy: 'SingleStack',
          internalTrafficPolicy: 'Cluster',
          sessionAffinity: 'None',
          type: 'ClusterIP',
          ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
        },
        status: { loadBalancer: {} },
      },
    });
    expect(second.body).toMatchObject({ spec: { clusterIP: '10.96.1.2' } });
    const put = client.put(`${services}/a`, { metadata: { name: 'a' }, spec: { ...spec, selector: { app: 'y' } } });
    expect(put).toMatchObject({ status: 200, body: { spec: { clusterIP: '10.96.1.1', selector: { app: 'y' } } } });
    expect(client.patch(`${services}/a`, 'merge', { spec: { clusterIP: '10.96.9.9' } }).status).toBe(422);
  });

  it('stay headless, need ports otherwise, and are named as DNS wants it', () => {
    const client = testClient();
    expect(
      client.post(services, { metadata: { name: 'h' }, spec: { clusterIP: 'None', selector: { a: 'b' } } }),
    ).toMatchObject({
      status: 201,
      body: { spec: { clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv4'] } },
    });
    expect(client.post(services, { metadata: { name: 'p' }, spec: {} }).body).toMatchObject({
      message: 'Service "p" is invalid: spec.ports: Required value',
    });
    expect(client.post(services, { metadata: { name: '1a' }, spec }).status).toBe(422);
  });
});

describe('Events', () => {
  const core = inDefault('events');
  const newer = '/apis/events.k8s.io/v1/namespaces/default/events';

  it('are one storage seen through two groups', () => {
    const client = testClient();
    const { status } = client.post(newer, {
      metadata: { name: 'e' },
      regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
      note: 'said',
      reason: 'Said',
      action: 'Saying',
      type: 'Normal',
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'example.com/speaker',
      reportingInstance: 'speaker-1',
    });
    expect(status).toBe(201);
    expect(client.get(`${core}/e`).body).toMatchObject({
      apiVersion: 'v1',
      involvedObject: { name: 'p' },
      message: 'said',
      reportingComponent: 'example.com/speaker',
    });
    expect(client.get(`${newer}/e`).body).toMatchObject({ apiVersion: 'events.k8s.io/v1', note: 'said' });
    expect(client.get(`${core}?fieldSelector=involvedObject.name%3Dp`).body).toMatchObject({
      items: [{ message: 'said' }],
    });
    const { lines } = client.watch(`${core}?watch=true`);
    expect(lines).toMatchObject([{ type: 'ADDED', object: { kind: 'Event', message: 'said' } }]);
  });

  it('stand in the namespace of what they are about', () => {
    const body = { metadata: { name: 'e' }, involvedObject: { namespace: 'other' } };
    expect(testClient().post(core, body)).toMatchObject({ status: 422 });
  });
});

describe('Leases, Secrets, ConfigMaps and Nodes', () => {
  it('a Lease can be given up: an empty holder is a value', () => {
    const client = testClient();
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    client.post(leases, { metadata: { name: 'l' }, spec: { holderIdentity: 'a', leaseDurationSeconds: 15 } });
    expect(client.patch(`${leases}/l`, 'merge', { spec: { holderIdentity: '' } }).body).toMatchObject({
      spec: { holderIdentity: '', leaseDurationSeconds: 15 },
    });
    expect(client.patch(`${leases}/l`, 'merge', { spec: { leaseDurationSeconds: 0 } }).status).toBe(422);
  });

  it('a Lease that is PUT and not there is created', () => {
    const client = testClient();
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/l';
    expect(client.put(path, { metadata: { name: 'l' } }).status).toBe(201);
  });

  it('a Secret keeps its text encoded and its type for ever', () => {
    const client = testClient();
    expect(client.post(inDefault('secrets'), { metadata: { name: 's' }, stringData: { a: 'b' } }).body).toMatchObject({
      type: 'Opaque',
      data: { a: 'Yg==' },
    });
    expect(client.patch(`${inDefault('secrets')}/s`, 'merge', { type: 'other' }).status).toBe(422);
  });

  it('an immutable ConfigMap stays as it is', () => {
    const client = testClient();
    client.post(inDefault('configmaps'), { metadata: { name: 'c' }, data: { a: '1' }, immutable: true });
    const path = `${inDefault('configmaps')}/c`;
    expect(client.patch(path, 'merge', { data: { a: '2' } }).status).toBe(422);
    expect(client.patch(path, 'merge', { metadata: { labels: { a: 'b' } } }).status).toBe(200);
  });

  it('a Node brings its first status along, and changes it through its subresource alone', () => {
    const client = testClient();
    const node = { metadata: { name: 'n' }, status: { capacity: { pods: '110' } } };
    expect(client.post('/api/v1/nodes', node).body).toMatchObject({ status: { capacity: { pods: '110' } } });
    const change = { status: { capacity: { pods: '5' } }, spec: { unschedulable: true } };
    expect(client.patch('/api/v1/nodes/n', 'merge', change).body).toMatchObject({
      status: { capacity: { pods: '110' } },
      spec: { unschedulable: true },
    });
    expect(client.patch('/api/v1/nodes/n/status', 'merge', change).body).toMatchObject({
      status: { capacity: { pods: '5' } },
    });
  });

  it('a webhook configuration is stored with the warning that nobody is called', () => {
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    expect(testClient().post(path, { metadata: { name: 'w' } })).toMatchObject({
      status: 201,
      headers: { warning: expect.stringContaining('calls no webhook') },
    });
  });
});

describe('ControllerRevisions', () => {
  const path = '/apis/apps/v1/namespaces/default/controllerrevisions';

  it('written as Go writes them can have their metadata patched, others never', () => {
    const client = testClient();
    client.post(path, { metadata: { name: 'go' }, revision: 1, data: { a: 'b' } });
    client.post(path, { metadata: { name: 'js' }, revision: 1, data: { args: 'x && y' } });
    const label = (name: string, type: 'merge' | 'strategic') =>
      client.patch(`${path}/${name}`, type, { metadata: { labels: { [type]: 'x' } } }).status;
    expect([label('go', 'merge'), label('go', 'strategic')]).toEqual([200, 200]);
    expect([label('js', 'merge'), label('js', 'strategic')]).toEqual([422, 422]);
  });

  it('with keys out of order survive a merge patch and fail a strategic one', () => {
    const client = testClient();
    client.post(path, { metadata: { name: 'r' }, revision: 1, data: { b: 1, a: 2 } });
    expect(client.patch(`${path}/r`, 'merge', { metadata: { labels: { a: 'b' } } }).status).toBe(200);
    expect(client.patch(`${path}/r`, 'strategic', { metadata: { labels: { a: 'c' } } }).status).toBe(422);
    expect(client.get(`${path}/r`).body).toMatchObject({ data: { b: 1, a: 2 } });
  });
});
