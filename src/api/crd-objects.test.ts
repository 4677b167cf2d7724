import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import {
  applyDefaults,
  celErrors,
  type FieldError,
  type KubeObject,
  listTypeErrors,
  prune,
  type Schema,
  structuralErrors,
  validate as validateSchema,
} from '../objects/index.ts';
import { modelServingCrd } from './crd.ts';
import type { ModelServing } from './types.ts';
import { validate } from './validation/validate.ts';

const crd: {
  readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
} = JSON.parse(JSON.stringify(modelServingCrd));
const schema = crd.spec.versions[0]?.schema.openAPIV3Schema ?? {};

const folder = (name: string): URL => new URL(`../../${name}/`, import.meta.url);
const examples = readdirSync(folder('examples'))
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) =>
    parseAllDocuments(readFileSync(new URL(name, folder('examples')), 'utf8')).map(
      (document): readonly [string, KubeObject] => [name, document.toJSON()],
    ),
  );
const { objects }: { readonly objects: readonly KubeObject[] } = JSON.parse(
  readFileSync(new URL('fresh.json', folder('test/fixtures/kthena')), 'utf8'),
);
const written = objects.map((object): readonly [string, KubeObject] => [object.metadata.name ?? '', object]);

const modelServings = [...examples, ...written].filter(([, object]) => object?.kind === 'ModelServing');
const complete = (object: unknown): unknown => applyDefaults(schema, prune(schema, object).value);

const problems = (object: unknown, before?: unknown): readonly FieldError[] => {
  const earlier = [...validateSchema(schema, object, { before }), ...listTypeErrors(schema, object)];
  return [...earlier, ...celErrors(schema, object, { before, earlier })];
};

describe('the CRD', () => {
  it('is one that an API server takes', () => {
    expect(structuralErrors(schema, 'spec.validation.openAPIV3Schema')).toEqual([]);
  });

  it.each(modelServings)('accepts every ModelServing we show or kthena wrote: %s', (_, object) => {
    const whole = complete(object);
    expect(prune(schema, object).unknownFields).toEqual([]);
    expect(problems(whole)).toEqual([]);
    expect(validate(whole as ModelServing).errors).toEqual([]);
  });

  it('adds to an object of kthena only what kthena does not know', () => {
    const object = written.find(([, { kind }]) => kind === 'ModelServing')?.[1] as ModelServing;
    expect(complete(object)).toEqual({ ...object, spec: { ...object.spec, revisionHistoryLimit: 10 } });
  });
});

const container = { name: 'c', image: 'engine:v1' };
const template = { spec: { containers: [container] } };
const role = { name: 'decode', workerReplicas: 0, entryTemplate: template };
const modelServing = (group: object, spec: object = {}): unknown =>
  complete({
    apiVersion: 'workload.serving.volcano.sh/v1alpha1',
    kind: 'ModelServing',
    metadata: { name: 'llm' },
    spec: { ...spec, template: { roles: [role], ...group } },
  });

describe('the CRD refuses', () => {
  const texts = (object: unknown, before?: unknown): readonly string[] =>
    problems(object, before).map(({ field, message }) => `${field}: ${message}`);

  it('two Roles of one name', () => {
    expect(texts(modelServing({ roles: [role, role] }))).toEqual([
      'spec.template.roles: Invalid value: "array": roles name must be unique',
    ]);
  });

  it('to lose the gangPolicy, or to change how many instances must start together', () => {
    const before = modelServing({ gangPolicy: { minRoleReplicas: { decode: 1 } } });
    expect(texts(modelServing({}), before)).toEqual([
      'spec.template: Invalid value: "object": gangPolicy is required once set',
    ]);
    expect(texts(modelServing({ gangPolicy: { minRoleReplicas: { decode: 2 } } }), before)).toEqual([
      'spec.template.gangPolicy.minRoleReplicas: Invalid value: "object": minRoleReplicas is immutable',
    ]);
    expect(texts(modelServing({ gangPolicy: {} }), before)).toEqual([]);
    expect(texts(before, modelServing({ gangPolicy: {} }))).toEqual([]);
  });

  it('a deadline below a minute, and a history below nothing', () => {
    const spec = { revisionHistoryLimit: -1, rolloutStrategy: { progressDeadlineSeconds: 59 } };
    expect(texts(modelServing({}, spec))).toEqual([
      'spec.revisionHistoryLimit: Invalid value: -1: spec.revisionHistoryLimit in body should be greater than or equal to 0',
      'spec.rolloutStrategy.progressDeadlineSeconds: Invalid value: 59: spec.rolloutStrategy.progressDeadlineSeconds in body should be greater than or equal to 60',
    ]);
  });

  it('one name for two containers or two variables, but not one address for two host aliases', () => {
    const env = [{ name: 'A' }, { name: 'A' }];
    const hostAliases = [{ ip: '1.2.3.4' }, { ip: '1.2.3.4' }];
    const entryTemplate = { spec: { containers: [{ ...container, env }, container], hostAliases } };
    expect(texts(modelServing({ roles: [{ ...role, entryTemplate }] }))).toEqual([
      'spec.template.roles[0].entryTemplate.spec.containers[1]: Duplicate value: {"name":"c"}',
      'spec.template.roles[0].entryTemplate.spec.containers[0].env[1]: Duplicate value: {"name":"A"}',
    ]);
  });

  it('a quantity that is none', () => {
    const resources = { limits: { cpu: 'lots' } };
    const entryTemplate = { spec: { containers: [{ ...container, resources }] } };
    expect(texts(modelServing({ roles: [{ ...role, entryTemplate }] }))).toHaveLength(1);
  });
});
