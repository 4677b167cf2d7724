import { describe, expect, it } from 'vitest';
import { type TestClient, testClient } from '../../../../test/conformance/test-client.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const gadgets = '/apis/example.com/v1/namespaces/default/gadgets';

const specSchema = {
  type: 'object',
  properties: {
    size: { type: 'integer', minimum: 1, default: 1 },
    color: { type: 'string', enum: ['red', 'blue'] },
    replicas: { type: 'integer' },
  },
  'x-kubernetes-validations': [
    { rule: '!has(oldSelf.color) || self.color == oldSelf.color', message: 'color is immutable' },
    { rule: 'self.size < 10', message: 'too big' },
  ],
};

const crd = (spec: object = specSchema): object => ({
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', kind: 'Gadget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        selectableFields: [{ jsonPath: '.spec.color' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec, status: { type: 'object', properties: { replicas: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
});

const withGadgets = (): TestClient => {
  const client = testClient();
  expect(client.post(crds, crd()).status).toBe(201);
  return client;
};

describe('a CustomResourceDefinition', () => {
  it('is established at once, with its names filled in, and its kind is served', () => {
    const client = testClient();
    expect(client.get(gadgets)).toMatchObject({ status: 404, body: '404 page not found\n' });
    expect(client.post(crds, crd()).body).toMatchObject({
      spec: { names: { singular: 'gadget', listKind: 'GadgetList' }, conversion: { strategy: 'None' } },
      status: {
        conditions: [
          { type: 'NamesAccepted', status: 'True' },
          { type: 'Established', status: 'True' },
        ],
        storedVersions: ['v1'],
      },
    });
    expect(client.get(gadgets).body).toMatchObject({ kind: 'GadgetList', apiVersion: 'example.com/v1', items: [] });
  });

  it('is refused where its schema is not structural, or its name is not made of its names', () => {
    const client = testClient();
    expect(client.post(crds, crd({ properties: { a: {} } })).status).toBe(422);
    expect(client.post(crds, { ...crd(), metadata: { name: 'other.example.com' } })).toMatchObject({
      status: 422,
      body: { details: { causes: [{ field: 'metadata.name' }] } },
    });
  });

  it('takes its objects along when it goes, and tells their watchers', () => {
    const client = withGadgets();
    client.post(gadgets, { metadata: { name: 'g' }, spec: {} });
    const { lines } = client.watch(`${gadgets}?watch=true`);
    client.delete(`${crds}/gadgets.example.com`);
    expect(lines.map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
    expect(client.get(gadgets).status).toBe(404);
    client.post(crds, crd());
    expect(client.get(gadgets).body).toMatchObject({ items: [] });
  });

  it('changes what later writes must obey, and leaves stored objects alone', () => {
    const client = withGadgets();
    client.post(gadgets, { metadata: { name: 'g' }, spec: { color: 'red' } });
    const { color: _, ...rest } = specSchema.properties;
    const live = client.get(`${crds}/gadgets.example.com`).body as { metadata: { resourceVersion: string } };
    const next = crd({
      ...specSchema,
      properties: { ...rest, extra: { type: 'string', default: 'x' } },
      'x-kubernetes-validations': [],
    });
    const { resourceVersion } = live.metadata;
    expect(
      client.put(`${crds}/gadgets.example.com`, {
        ...next,
        metadata: { name: 'gadgets.example.com', resourceVersion },
      }),
    ).toMatchObject({ status: 200, body: { metadata: { generation: 2 } } });
    expect(client.get(`${gadgets}/g`).body).toMatchObject({ spec: { color: 'red' } });
    expect(client.patch(`${gadgets}/g`, 'merge', { metadata: { labels: { a: 'b' } } }).body).toMatchObject({
      spec: { extra: 'x', size: 1 },
    });
  });
});

describe('a custom object', () => {
  it('gets its defaults, loses unknown fields with a warning, and starts without status', () => {
    const answer = withGadgets().post(gadgets, {
      metadata: { name: 'g' },
      spec: { bogus: 1 },
      status: { replicas: 3 },
    });
    expect(answer).toMatchObject({
      status: 201,
      headers: { warning: '299 - "unknown field \\"spec.bogus\\""' },
      body: { metadata: { generation: 1 }, spec: { size: 1 } },
    });
    expect(answer.body).not.toHaveProperty('status');
    expect(answer.body).not.toHaveProperty('spec.bogus');
  });

  it('counts a generation for its spec, and not for metadata or status', () => {
    const client = withGadgets();
    client.post(gadgets, { metadata: { name: 'g' }, spec: {} });
    const generation = (path: string, body: object): unknown =>
      (client.patch(path, 'merge', body).body as { metadata: { generation: number } }).metadata.generation;
    expect(generation(`${gadgets}/g`, { metadata: { labels: { a: 'b' } } })).toBe(1);
    expect(generation(`${gadgets}/g/status`, { status: { replicas: 1 }, spec: { size: 5 } })).toBe(1);
    expect(generation(`${gadgets}/g`, { spec: { size: 2 } })).toBe(2);
  });

  it('is held to its CEL rules, also those that compare with what it was', () => {
    const client = withGadgets();
    client.post(gadgets, { metadata: { name: 'g' }, spec: { color: 'red' } });
    expect(client.patch(`${gadgets}/g`, 'merge', { spec: { size: 12 } })).toMatchObject({
      status: 422,
      body: { message: 'Gadget.example.com "g" is invalid: spec: Invalid value: "object": too big' },
    });
    expect(client.patch(`${gadgets}/g`, 'merge', { spec: { color: 'blue' } })).toMatchObject({
      status: 422,
      body: { details: { causes: [{ message: expect.stringContaining('color is immutable') }] } },
    });
  });

  it('is selected by the fields its kind declares', () => {
    const client = withGadgets();
    client.post(gadgets, { metadata: { name: 'r' }, spec: { color: 'red' } });
    client.post(gadgets, { metadata: { name: 'b' }, spec: { color: 'blue' } });
    expect(client.get(`${gadgets}?fieldSelector=spec.color%3Dblue`).body).toMatchObject({
      items: [{ kind: 'Gadget', metadata: { name: 'b' } }],
    });
    expect(client.get(`${gadgets}?fieldSelector=spec.size%3D1`)).toMatchObject({
      status: 400,
      body: { message: 'field label not supported: spec.size' },
    });
  });

  it('is scaled through its Scale, which a stale writer does not overwrite', () => {
    const client = withGadgets();
    client.post(gadgets, { metadata: { name: 'g' }, spec: { replicas: 2 } });
    const scale = client.get(`${gadgets}/g/scale`).body as { metadata: { resourceVersion: string } };
    expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 2 }, status: { replicas: 0 } });
    expect(client.put(`${gadgets}/g/scale`, { ...scale, spec: { replicas: 5 } }).body).toMatchObject({
      spec: { replicas: 5 },
    });
    expect(client.put(`${gadgets}/g/scale`, { ...scale, spec: { replicas: 6 } }).status).toBe(409);
    expect(client.get(`${gadgets}/g`).body).toMatchObject({ metadata: { generation: 2 }, spec: { replicas: 5 } });
  });

  it('refuses what only built-in kinds and real servers can', () => {
    const client = withGadgets();
    client.post(gadgets, { metadata: { name: 'g' }, spec: {} });
    expect(client.patch(`${gadgets}/g`, 'strategic', {}).status).toBe(415);
    expect(client.get(`${gadgets}/g/log`).status).toBe(404);
  });
});
