import { isPlainObject, openApiSchemas } from '../../../../objects/index.ts';
import type { CustomResource, ServedResource } from '../../../server-types.ts';
import { componentName, nameOfRef, refTo } from './component-names.ts';

type Components = Readonly<Record<string, unknown>>;

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** The schemas of these kinds and of everything they refer to: what `kubectl explain` reads. */
export const componentsOf = (resources: readonly ServedResource[]): Components => {
  const builtin: Components = openApiSchemas();
  const found = new Map<string, unknown>();
  const add = (name: string, schema: unknown): void => {
    if (schema === undefined || found.has(name)) return;
    found.set(name, schema);
    for (const ref of refsIn(schema)) add(ref, builtin[ref]);
  };
  for (const resource of resources) add(componentName(resource), kindSchema(resource, builtin));
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
};

const kindSchema = (resource: ServedResource, builtin: Components): unknown => {
  const schema = resource.custom === undefined ? builtin[componentName(resource)] : customSchema(resource.custom);
  if (!isPlainObject(schema)) return undefined;
  const { group, version, kind } = resource;
  return { ...schema, 'x-kubernetes-group-version-kind': [{ group, version, kind }] };
};

/** What a CRD does not say itself: that its objects are Kubernetes objects. */
const customSchema = ({ schema }: CustomResource): unknown => {
  const whole = isPlainObject(schema) ? schema : { type: 'object' };
  const properties = isPlainObject(whole['properties']) ? whole['properties'] : {};
  return {
    ...whole,
    properties: {
      apiVersion: { type: 'string', description: 'Version of the schema of this object.' },
      kind: { type: 'string', description: 'Kind of this object.' },
      ...properties,
      metadata: { ...refTo(objectMeta), description: 'Metadata that every Kubernetes object has.' },
    },
  };
};

const refsIn = (schema: unknown): readonly string[] => {
  if (Array.isArray(schema)) return schema.flatMap(refsIn);
  if (!isPlainObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [nameOfRef(value)] : refsIn(value),
  );
};
