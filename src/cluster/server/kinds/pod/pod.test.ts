import { describe, expect, it } from 'vitest';
import { testClient } from '../../../../../test/conformance/test-client.ts';

const pods = '/api/v1/namespaces/default/pods';
const container = { name: 'c', image: 'engine:v1' };

const created = (spec: object): unknown => {
  const answer = testClient().post(pods, { metadata: { name: 'p' }, spec: { containers: [container], ...spec } });
  expect(answer.status).toBe(201);
  return answer.body;
};

const refusal = (spec: object): unknown => {
  const { body, status } = testClient().post(pods, { metadata: { name: 'p' }, spec });
  expect(status).toBe(422);
  return (body as { details: { causes: unknown } }).details.causes;
};

describe('a new Pod', () => {
  it('pulls always where the tag is latest or absent, else if the image is missing', () => {
    const images = ['a', 'a:latest', 'a:v1', 'registry:5000/a', `a@sha256:${'0'.repeat(64)}`];
    const containers = images.map((image, index) => ({ name: `c${index}`, image }));
    expect(created({ containers })).toMatchObject({
      spec: {
        containers: [
          { imagePullPolicy: 'Always' },
          { imagePullPolicy: 'Always' },
          { imagePullPolicy: 'IfNotPresent' },
          { imagePullPolicy: 'Always' },
          { imagePullPolicy: 'IfNotPresent' },
        ],
      },
    });
  });

  it('requests what it limits, and that decides its quality of service', () => {
    const limits = { cpu: '1000m', memory: '1024Mi' };
    expect(created({ containers: [{ ...container, resources: { limits } }] })).toMatchObject({
      spec: {
        containers: [{ resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } } }],
      },
      status: { qosClass: 'Guaranteed' },
    });
    const requests = { cpu: '1' };
    expect(created({ containers: [{ ...container, resources: { requests } }] })).toMatchObject({
      status: { qosClass: 'Burstable' },
    });
  });

  it('gets the defaults of its probes and ports', () => {
    const readinessProbe = { httpGet: { port: 8000 } };
    expect(created({ containers: [{ ...container, readinessProbe, ports: [{ containerPort: 1 }] }] })).toMatchObject({
      spec: {
        containers: [
          {
            ports: [{ containerPort: 1, protocol: 'TCP' }],
            readinessProbe: {
              httpGet: { path: '/', port: 8000, scheme: 'HTTP' },
              timeoutSeconds: 1,
              periodSeconds: 10,
              successThreshold: 1,
              failureThreshold: 3,
            },
          },
        ],
      },
    });
  });

  it('waits where it has scheduling gates, and says so', () => {
    expect(created({ schedulingGates: [{ name: 'example.com/wait' }] })).toMatchObject({
      status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
    });
  });

  it('loses what Go leaves out, and keeps pointers to zero', () => {
    const sent = {
      hostNetwork: false,
      nodeSelector: {},
      automountServiceAccountToken: false,
      nodeName: '',
      volumes: null,
    };
    const { spec } = created(sent) as { spec: object };
    expect(Object.keys(spec).filter((field) => Object.hasOwn(sent, field))).toEqual(['automountServiceAccountToken']);
  });

  it.each([
    ['two containers of one name', { containers: [container, container] }, 'spec.containers[1].name'],
    ['a container without image', { containers: [{ name: 'c' }] }, 'spec.containers[0].image'],
    ['a name that is no label', { containers: [{ ...container, name: 'C' }] }, 'spec.containers[0].name'],
    [
      'a mount of a volume that is not there',
      { containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] }] },
      'spec.containers[0].volumeMounts[0].name',
    ],
    [
      'a port beyond the last',
      { containers: [{ ...container, ports: [{ containerPort: 70_000 }] }] },
      'spec.containers[0].ports[0].containerPort',
    ],
    [
      'requests above limits',
      { containers: [{ ...container, resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }] },
      'spec.containers[0].resources.requests',
    ],
    [
      'a liveness probe that must succeed twice',
      { containers: [{ ...container, livenessProbe: { exec: { command: ['x'] }, successThreshold: 2 } }] },
      'spec.containers[0].livenessProbe.successThreshold',
    ],
    ['an unknown restart policy', { containers: [container], restartPolicy: 'Sometimes' }, 'spec.restartPolicy'],
  ])('is refused with %s', (_, spec, field) => {
    expect(refusal(spec)).toMatchObject([{ field }]);
  });

  it('is forbidden where it asks for a priority class that is not there', () => {
    const spec = { containers: [container], priorityClassName: 'urgent' };
    expect(testClient().post(pods, { metadata: { name: 'p' }, spec })).toMatchObject({
      status: 403,
      body: { message: 'pods "p" is forbidden: no PriorityClass with name urgent was found' },
    });
  });

  it('is refused where a value has the wrong type, before anyone looks at it', () => {
    const { status, body } = testClient().post(pods, { metadata: { name: 'p' }, spec: { containers: 'c' } });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      reason: 'BadRequest',
      message: expect.stringContaining('Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal string'),
    });
  });
});

describe('a change of a Pod', () => {
  const withPod = (spec: object = {}): ReturnType<typeof testClient> => {
    const client = testClient();
    client.post(pods, { metadata: { name: 'p' }, spec: { containers: [container], ...spec } });
    return client;
  };

  it('may set the image of containers and init containers', () => {
    const client = withPod({ initContainers: [{ name: 'i', image: 'init:v1' }] });
    const images = {
      containers: [{ name: 'c', image: 'engine:v2' }],
      initContainers: [{ name: 'i', image: 'init:v2' }],
    };
    expect(client.patch(`${pods}/p`, 'strategic', { spec: images })).toMatchObject({
      status: 200,
      body: { metadata: { generation: 2 }, spec: images },
    });
  });

  it('may shorten a deadline and not lengthen it', () => {
    const client = withPod();
    const deadline = (seconds: number | null) =>
      client.patch(`${pods}/p`, 'merge', { spec: { activeDeadlineSeconds: seconds } }).status;
    expect([deadline(100), deadline(50), deadline(60), deadline(null)]).toEqual([200, 200, 422, 422]);
  });

  it('may add tolerations, change how long they hold, and not take one away', () => {
    const client = withPod();
    const tolerate = (tolerations: readonly object[]) => client.patch(`${pods}/p`, 'merge', { spec: { tolerations } });
    const one = { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
    expect(tolerate([one]).status).toBe(200);
    expect(tolerate([{ ...one, tolerationSeconds: 6 }]).status).toBe(200);
    expect(tolerate([])).toMatchObject({
      status: 422,
      body: {
        message: expect.stringContaining('existing toleration can not be modified except its tolerationSeconds'),
      },
    });
  });

  it('may remove scheduling gates and not add one', () => {
    const client = withPod({ schedulingGates: [{ name: 'example.com/a' }] });
    const gates = (...names: readonly string[]) =>
      client.patch(`${pods}/p`, 'merge', { spec: { schedulingGates: names.map((name) => ({ name })) } }).status;
    expect([gates('example.com/a', 'example.com/b'), gates()]).toEqual([422, 200]);
  });

  it('shows every other change as a diff of what the server holds', () => {
    const { body } = withPod().patch(`${pods}/p`, 'merge', { spec: { nodeSelector: { a: 'b' } } });
    expect((body as { message: string }).message).toContain(
      '\n- "NodeSelector": null,\n+ "NodeSelector": {\n+  "a": "b"\n+ },\n  "ServiceAccountName": "default",\n',
    );
  });

  it('has no generation on a server that is older than that', () => {
    const client = testClient({ podGeneration: false });
    client.post(pods, { metadata: { name: 'p' }, spec: { containers: [container] } });
    const { body } = client.patch(`${pods}/p`, 'strategic', { spec: { containers: [{ name: 'c', image: 'b' }] } });
    expect((body as { metadata: object }).metadata).not.toHaveProperty('generation');
  });

  it('adds debug containers through their subresource, and never changes one', () => {
    const client = withPod();
    const debug = (image: string) =>
      client.patch(`${pods}/p/ephemeralcontainers`, 'strategic', {
        spec: { ephemeralContainers: [{ name: 'd', image }] },
      });
    expect(debug('shell:v1')).toMatchObject({
      status: 200,
      body: { spec: { ephemeralContainers: [{ name: 'd', image: 'shell:v1' }] } },
    });
    expect(debug('shell:v2').status).toBe(422);
  });
});
