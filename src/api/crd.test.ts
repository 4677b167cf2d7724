import { describe, expect, it } from 'vitest';
import type { Json } from '../objects/index.ts';
import type { Schema } from '../objects/schema/index.ts';
import { modelServingCrdJson } from './crd.gen.ts';
import { modelServingCrd } from './crd.ts';

interface Crd {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: Readonly<Record<string, unknown>>;
    readonly versions: readonly [
      {
        readonly name: string;
        readonly served: boolean;
        readonly storage: boolean;
        readonly schema: { readonly openAPIV3Schema: Schema };
        readonly subresources: unknown;
        readonly additionalPrinterColumns: readonly { name: string; type: string; jsonPath: string }[];
      },
    ];
  };
}

const crd: Crd = JSON.parse(JSON.stringify(modelServingCrd));
const [version] = crd.spec.versions;
const root = version.schema.openAPIV3Schema;

/** `spec.template.roles[].name`, `minRoleReplicas{}` for the values of a map. */
const at = (path: string): Schema => {
  const steps = path.replaceAll('[]', '.[]').replaceAll('{}', '.{}').split('.');
  return steps.reduce((schema: Schema, step) => {
    const next = step === '[]' ? schema.items : step === '{}' ? schema.additionalProperties : schema.properties?.[step];
    if (typeof next !== 'object') throw new Error(`nothing at ${step} of ${path}`);
    return next;
  }, root);
};

/** What a field is, without its text and without what is inside. */
const facts = (schema: Schema): Record<string, unknown> => {
  const { description: _, properties: __, items: ___, additionalProperties: ____, ...rest } = schema;
  return rest;
};

const int32 = { type: 'integer', format: 'int32' };
const int64 = { type: 'integer', format: 'int64' };
const text = { type: 'string' };
const object = { type: 'object' };
const array = { type: 'array' };
const atomic = { type: 'array', 'x-kubernetes-list-type': 'atomic' };
const intOrString = { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] };
const oneOf = (values: readonly string[], fallback?: string): Record<string, Json> => ({
  type: 'string',
  enum: values,
  ...(fallback === undefined ? {} : { default: fallback }),
});
const cel = (rule: string, message: string) => ({ 'x-kubernetes-validations': [{ rule, message }] });
const role = 'spec.template.roles[]';
const rolling = 'spec.rolloutStrategy.rollingUpdateConfiguration';
const topology = 'spec.template.networkTopology';
const ranges = { ...text, pattern: '^\\d+(-\\d+)?(,\\d+(-\\d+)?)*$' };

const fieldsOfKthena: Readonly<Record<string, Record<string, unknown>>> = {
  spec: { ...object, required: ['template'] },
  'spec.replicas': { ...int32, default: 1 },
  'spec.schedulerName': { ...text, default: 'volcano' },
  'spec.plugins': array,
  'spec.plugins[]': { ...object, required: ['name', 'type'] },
  'spec.plugins[].name': text,
  'spec.plugins[].type': oneOf(['BuiltIn'], 'BuiltIn'),
  'spec.plugins[].config': { 'x-kubernetes-preserve-unknown-fields': true },
  'spec.plugins[].scope': object,
  'spec.plugins[].scope.roles': array,
  'spec.plugins[].scope.roles[]': text,
  'spec.plugins[].scope.target': text,
  'spec.template': {
    ...object,
    required: ['roles'],
    ...cel('!has(oldSelf.gangPolicy) || has(self.gangPolicy)', 'gangPolicy is required once set'),
  },
  'spec.template.restartGracePeriodSeconds': { ...int64, default: 0 },
  'spec.template.gangPolicy': object,
  'spec.template.gangPolicy.minRoleReplicas': { ...object, ...cel('self == oldSelf', 'minRoleReplicas is immutable') },
  'spec.template.gangPolicy.minRoleReplicas{}': int32,
  [topology]: object,
  [`${topology}.groupPolicy`]: object,
  [`${topology}.groupPolicy.mode`]: oneOf(['hard', 'soft'], 'hard'),
  [`${topology}.groupPolicy.highestTierAllowed`]: { type: 'integer', minimum: 0 },
  [`${topology}.groupPolicy.highestTierName`]: { ...text, maxLength: 253 },
  [`${topology}.rolePolicy`]: object,
  [`${topology}.rolePolicy.mode`]: oneOf(['hard', 'soft'], 'hard'),
  [`${topology}.rolePolicy.highestTierAllowed`]: { type: 'integer', minimum: 0 },
  [`${topology}.rolePolicy.highestTierName`]: { ...text, maxLength: 253 },
  'spec.template.roles': {
    ...array,
    minItems: 1,
    maxItems: 4,
    ...cel('self.all(x, self.exists_one(y, y.name == x.name))', 'roles name must be unique'),
  },
  [role]: { ...object, required: ['name', 'entryTemplate', 'workerReplicas'] },
  [`${role}.name`]: { ...text, maxLength: 12, pattern: '^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?$' },
  [`${role}.replicas`]: { ...int32, default: 1 },
  [`${role}.workerReplicas`]: int32,
  [`${role}.maxUnavailable`]: { ...intOrString, default: 1 },
  [`${role}.partition`]: intOrString,
  ...Object.fromEntries(
    ['entryTemplate', 'workerTemplate'].flatMap((template) => [
      [`${role}.${template}`, object],
      [`${role}.${template}.metadata`, object],
      [`${role}.${template}.metadata.labels`, object],
      [`${role}.${template}.metadata.labels{}`, text],
      [`${role}.${template}.metadata.annotations`, object],
      [`${role}.${template}.metadata.annotations{}`, text],
      [`${role}.${template}.spec`, { ...object, required: ['containers'] }],
    ]),
  ),
  'spec.rolloutStrategy': { ...object, required: ['type'] },
  'spec.rolloutStrategy.type': oneOf(['ServingGroupRollingUpdate', 'RoleRollingUpdate'], 'ServingGroupRollingUpdate'),
  [rolling]: object,
  [`${rolling}.maxUnavailable`]: { ...intOrString, default: 1 },
  [`${rolling}.partition`]: intOrString,
  'spec.recoveryPolicy': oneOf(['ServingGroupRecreate', 'RoleRecreate', 'None'], 'RoleRecreate'),
  status: object,
  'status.observedGeneration': int64,
  'status.replicas': int32,
  'status.currentReplicas': int32,
  'status.updatedReplicas': int32,
  'status.availableReplicas': int32,
  'status.currentRevision': text,
  'status.updateRevision': text,
  'status.labelSelector': text,
  'status.conditions': array,
  'status.conditions[]': { ...object, required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'] },
};

const fieldsOfLaterKthena: Readonly<Record<string, Record<string, unknown>>> = {
  [`${role}.maxSurge`]: intOrString,
  [`${rolling}.maxSurge`]: intOrString,
  'spec.revisionHistoryLimit': { ...int32, default: 10, minimum: 0 },
  'status.collisionCount': int32,
};

const fieldsOfOurs: Readonly<Record<string, Record<string, unknown>>> = {
  'spec.rolloutStrategy.updateMethod': oneOf(['Recreate', 'InPlace'], 'Recreate'),
  'spec.rolloutStrategy.progressDeadlineSeconds': { ...int32, minimum: 60 },
  'status.units': atomic,
  'status.units[]': { ...object, required: ['groups', 'roles'] },
  'status.units[].groups': ranges,
  'status.units[].roles': atomic,
  'status.units[].roles[]': { ...object, required: ['name', 'instances', 'completed'] },
  'status.units[].roles[].name': text,
  'status.units[].roles[].instances': ranges,
  'status.units[].roles[].completed': { ...int32, minimum: 0 },
  'status.units[].roles[].leaving': { type: 'boolean' },
  'status.units[].roles[].filling': { type: 'boolean' },
  'status.failures': atomic,
  'status.failures[]': { ...object, required: ['group', 'revision', 'startedAt'] },
  'status.failures[].group': { ...int32, minimum: 0 },
  'status.failures[].role': text,
  'status.failures[].instance': { ...int32, minimum: 0 },
  'status.failures[].revision': text,
  'status.failures[].startedAt': { ...text, format: 'date-time' },
  'status.recreations': atomic,
  'status.recreations[]': { ...object, required: ['groups', 'role', 'instance', 'revision', 'times'] },
  'status.recreations[].groups': { ...text, pattern: '^\\d+(-\\d+)?(,\\d+(-\\d+)?)*$' },
  'status.recreations[].role': text,
  'status.recreations[].instance': { ...int32, minimum: 0 },
  'status.recreations[].revision': text,
  'status.recreations[].times': { ...int32, minimum: 1 },
};

const expected = { ...fieldsOfKthena, ...fieldsOfLaterKthena, ...fieldsOfOurs };

/** All paths below a schema, but nothing inside a Pod's spec or a condition. */
const pathsOf = (schema: Schema, path: string): string[] => {
  if (/Template\.spec$|conditions\[\]$/.test(path)) return [path];
  const children: [string, Schema | boolean | undefined][] = [
    ...Object.entries(schema.properties ?? {}).map(([name, child]): [string, Schema] => [`${path}.${name}`, child]),
    [`${path}[]`, schema.items],
    [`${path}{}`, schema.additionalProperties],
  ];
  return [path, ...children.flatMap(([name, child]) => (typeof child === 'object' ? pathsOf(child, name) : []))];
};

describe('the CustomResourceDefinition of ModelServing', () => {
  it.each(Object.entries(expected))('has %s as the contract says', (path, fact) => {
    expect(facts(at(path))).toEqual(fact);
  });

  it('has no field that the tables above do not name', () => {
    expect([...pathsOf(at('spec'), 'spec'), ...pathsOf(at('status'), 'status')].sort()).toEqual(
      Object.keys(expected).sort(),
    );
  });

  it('is named, scoped and served as clients of kthena expect', () => {
    expect(crd.metadata.name).toBe('modelservings.workload.serving.volcano.sh');
    expect(crd.spec).toMatchObject({ group: 'workload.serving.volcano.sh', scope: 'Namespaced' });
    expect(crd.spec.names).toEqual({
      kind: 'ModelServing',
      listKind: 'ModelServingList',
      plural: 'modelservings',
      singular: 'modelserving',
    });
    expect(version).toMatchObject({ name: 'v1alpha1', served: true, storage: true });
    expect(version.subresources).toEqual({
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.labelSelector',
      },
    });
    expect(version.additionalPrinterColumns.map(({ name, type, jsonPath }) => [name, type, jsonPath])).toEqual([
      ['Replicas', 'integer', '.status.replicas'],
      ['Available', 'integer', '.status.availableReplicas'],
      ['Updated', 'integer', '.status.updatedReplicas'],
      ['Age', 'date', '.metadata.creationTimestamp'],
    ]);
  });

  it('is small enough for kubectl apply, whose annotation may hold 262,144 bytes', () => {
    expect(Buffer.byteLength(modelServingCrdJson)).toBeLessThan(250_000);
  });
});

describe('the Pod template in it', () => {
  const podSpec = at(`${role}.entryTemplate.spec`);
  const inside = (path: string): Schema => at(`${role}.entryTemplate.spec.${path}`);

  it('is the whole PodSpec of Kubernetes 1.34, for entry and workers alike', () => {
    expect(Object.keys(podSpec.properties ?? {})).toHaveLength(41);
    expect(podSpec.properties).toHaveProperty('hostnameOverride');
    expect(inside('containers[]').properties).toHaveProperty('restartPolicyRules');
    expect(inside('containers[].env[].valueFrom').properties).toHaveProperty('fileKeyRef');
    expect(at(`${role}.workerTemplate.spec`)).toEqual(podSpec);
  });

  it.each([
    ['containers', ['name']],
    ['initContainers', ['name']],
    ['containers[].env', ['name']],
    ['containers[].ports', ['containerPort', 'protocol']],
    ['containers[].volumeMounts', ['mountPath']],
    ['containers[].volumeDevices', ['devicePath']],
    ['volumes', ['name']],
    ['imagePullSecrets', ['name']],
    ['topologySpreadConstraints', ['topologyKey', 'whenUnsatisfiable']],
    ['resourceClaims', ['name']],
    ['schedulingGates', ['name']],
  ])('refuses two equal items in %s', (path, keys) => {
    expect(inside(path)).toMatchObject({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });
  });

  it('allows one address twice in hostAliases', () => {
    expect(facts(inside('hostAliases'))).toEqual(array);
  });

  it.each([
    ['containers[].ports[].protocol', 'TCP'],
    ['containers[].livenessProbe.grpc.service', ''],
    ['containers[].env[].valueFrom.configMapKeyRef.name', ''],
    ['volumes[].azureDisk.cachingMode', 'ReadWrite'],
    ['volumes[].iscsi.iscsiInterface', 'default'],
  ])('defaults %s to %j, as kthena stores it', (path, value) => {
    expect(inside(path).default).toBe(value);
  });

  it('takes quantities as numbers and as text', () => {
    expect(inside('containers[].resources.limits{}')).toMatchObject(intOrString);
  });

  it('leaves out descriptions and enumerations', () => {
    const words = JSON.stringify(podSpec);
    expect(words).not.toContain('"description"');
    expect(words).not.toContain('"enum"');
    expect(words).not.toContain('x-kubernetes-patch');
  });
});
