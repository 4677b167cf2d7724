import { describe, expect, it } from 'vitest';
import { applyStrategicMergePatch } from '../patch/strategic-merge-patch.ts';
import type { PlainObject } from '../plain-object.ts';
import { builtinSchema, openApiSchemas } from './builtin.ts';
import { applyDefaults } from './defaults.ts';
import { mergeSchemaOf } from './merge-schema-of.ts';
import { prune } from './prune.ts';
import type { Schema } from './schema.ts';
import { validate } from './validate.ts';

const pod = builtinSchema('io.k8s.api.core.v1.Pod');
const container = builtinSchema('io.k8s.api.core.v1.Container');
const podWith = (spec: PlainObject): PlainObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });

describe('a built-in schema', () => {
  it('has every reference resolved, to one object for one type', () => {
    const seen = new Set<Schema>();
    const visit = (schema: Schema): void => {
      if (seen.has(schema)) return;
      seen.add(schema);
      expect(schema.$ref).toBeUndefined();
      for (const property of Object.values(schema.properties ?? {})) visit(property);
      if (schema.items) visit(schema.items);
      if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties);
    };
    for (const name of Object.keys(openApiSchemas())) visit(builtinSchema(name));
    expect(pod.properties?.['spec']?.properties?.['containers']?.items).toBe(container);
  });

  it('is unknown for a type that no one serves', () => {
    expect(() => builtinSchema('io.k8s.api.apps.v1.Deployment')).toThrow('no built-in schema');
  });
});

describe('a Pod', () => {
  it('gets the defaults a server gives it', () => {
    const filled = applyDefaults(
      pod,
      podWith({
        containers: [
          { name: 'c', image: 'engine:v1', ports: [{ containerPort: 80 }], readinessProbe: { httpGet: { port: 80 } } },
        ],
        volumes: [{ name: 'v', configMap: { name: 'x' } }],
      }),
    );
    expect(filled).toEqual(
      podWith({
        containers: [
          {
            name: 'c',
            image: 'engine:v1',
            ports: [{ containerPort: 80, protocol: 'TCP' }],
            readinessProbe: {
              httpGet: { port: 80, path: '/', scheme: 'HTTP' },
              timeoutSeconds: 1,
              periodSeconds: 10,
              successThreshold: 1,
              failureThreshold: 3,
            },
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
          },
        ],
        volumes: [{ name: 'v', configMap: { name: 'x', defaultMode: 420 } }],
        dnsPolicy: 'ClusterFirst',
        enableServiceLinks: true,
        restartPolicy: 'Always',
        schedulerName: 'default-scheduler',
        securityContext: {},
        terminationGracePeriodSeconds: 30,
      }),
    );
  });

  it('that is complete already is not copied', () => {
    const filled = applyDefaults(pod, podWith({ containers: [{ name: 'c' }] }));
    expect(applyDefaults(pod, filled)).toBe(filled);
    expect(prune(pod, filled).value).toBe(filled);
  });

  it('loses what the API does not know, by path, and keeps what is free-form', () => {
    const sent = {
      ...podWith({ containers: [{ name: 'c', bogus: 1 }], extra: true }),
      metadata: {
        name: 'p',
        labels: { any: 'thing' },
        colour: 'red',
        managedFields: [{ manager: 'm', fieldsV1: { 'f:spec': { 'f:x': {} } } }],
      },
    };
    const { value, unknownFields } = prune(pod, sent);
    expect(unknownFields).toEqual(['metadata.colour', 'spec.containers[0].bogus', 'spec.extra']);
    expect(value).toEqual({
      ...podWith({ containers: [{ name: 'c' }] }),
      metadata: {
        name: 'p',
        labels: { any: 'thing' },
        managedFields: [{ manager: 'm', fieldsV1: { 'f:spec': { 'f:x': {} } } }],
      },
    });
  });

  it('is told what the schema alone can tell', () => {
    const wrong = podWith({
      restartPolicy: 'Sometimes',
      containers: [{ image: 3, resources: { limits: { cpu: true } } }],
    });
    expect(validate(pod, wrong).map(({ field, message }) => `${field}: ${message}`)).toEqual([
      'spec.containers[0].image: Invalid value: "integer": spec.containers[0].image in body must be of type string: "integer"',
      '<nil>: Invalid value: "": "spec.containers[0].resources.limits.cpu" must validate one and only one schema (oneOf). Found none valid',
      'spec.containers[0].resources.limits.cpu: Invalid value: "boolean": spec.containers[0].resources.limits.cpu in body must be of type string: "boolean"',
      'spec.containers[0].name: Required value',
      'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"',
    ]);
  });

  it('merges lists by the keys of its schema', () => {
    const before = podWith({
      containers: [
        { name: 'a', image: 'a:1', args: ['x'] },
        { name: 'b', image: 'b:1' },
      ],
      tolerations: [{ key: 'old' }],
    });
    const patch = { spec: { containers: [{ name: 'b', image: 'b:2' }], tolerations: [{ key: 'new' }] } };
    expect(applyStrategicMergePatch(before, patch, mergeSchemaOf(pod))).toEqual(
      podWith({
        containers: [
          { name: 'a', image: 'a:1', args: ['x'] },
          { name: 'b', image: 'b:2' },
        ],
        tolerations: [{ key: 'new' }],
      }),
    );
  });
});

describe('what a strategic merge is told of a type', () => {
  const spec = mergeSchemaOf(pod).field('spec')?.schema;

  it('is the strategy and the key of a list, and the type of its items', () => {
    expect(spec?.field('containers')).toMatchObject({ strategies: ['merge'], mergeKey: 'name' });
    expect(spec?.field('volumes')?.strategies).toEqual(['merge', 'retainKeys']);
    expect(spec?.field('containers')?.schema.field('env')?.mergeKey).toBe('name');
    expect(spec?.field('tolerations')).toMatchObject({ strategies: [], mergeKey: undefined });
  });

  it('is nothing for a member that does not exist, and the same for all members of a map', () => {
    expect(spec?.field('bogus')).toBeUndefined();
    expect(mergeSchemaOf(pod).field('metadata')?.schema.field('labels')?.schema.field('any')).toBeDefined();
  });
});
