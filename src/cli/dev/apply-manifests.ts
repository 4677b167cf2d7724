import { parseAllDocuments } from 'yaml';
import { isApiError, type KubeClient, type Resource } from '../../kube/index.ts';
import { isPlainObject, type KubeObject, nameOf, type ObjectRef, withMember } from '../../objects/index.ts';
import { CliError } from '../cli-error.ts';

/** The objects of a YAML (or JSON) file. Throws a CliError that names the file and, where there is one, the line. */
export const parseManifests = (path: string, text: string): readonly KubeObject[] =>
  parseAllDocuments(text).flatMap((document, index) => {
    const [error] = document.errors ?? [];
    if (error !== undefined) throw new CliError(`${path} is not valid YAML: ${error.message}`, { cause: error });
    const value: unknown = document.toJS();
    if (value === null || value === undefined) return [];
    if (!isPlainObject(value) || typeof value['kind'] !== 'string' || typeof value['apiVersion'] !== 'string') {
      throw new CliError(`${path}: document ${index + 1} is not a Kubernetes object: apiVersion or kind is missing.`);
    }
    if (!isPlainObject(value['metadata']) || typeof value['metadata']['name'] !== 'string') {
      throw new CliError(`${path}: document ${index + 1} (${value['kind']}) has no metadata.name.`);
    }
    return [value as unknown as KubeObject];
  });

/**
 * Creates the objects, or replaces those that exist, strictly: an unknown field is an error, not a warning.
 * Throws a CliError with the API server's own words.
 */
export const applyManifests = async (
  client: KubeClient,
  objects: readonly KubeObject[],
  defaultNamespace: string,
): Promise<readonly AppliedObject[]> => {
  const applied: AppliedObject[] = [];
  for (const object of objects) {
    const resource = await resourceOf(client, object);
    const namespace = resource.namespaced ? (object.metadata.namespace ?? defaultNamespace) : undefined;
    const placed = withMember(object as never, 'metadata', { ...object.metadata, namespace }) as unknown as KubeObject;
    try {
      await client.create(resource, placed, { fieldManager: 'modelserving-dev', fieldValidation: 'Strict' });
    } catch (cause) {
      if (!isApiError(cause)) throw cause;
      throw new CliError(`${object.kind} ${nameOf(object)} was refused: ${cause.message}`, { cause });
    }
    applied.push({ kind: object.kind ?? '', ref: { namespace, name: nameOf(object) } });
  }
  return applied;
};

export interface AppliedObject {
  readonly kind: string;
  readonly ref: ObjectRef;
}

const resourceOf = async (client: KubeClient, object: KubeObject): Promise<Resource<KubeObject>> => {
  const apiVersion = object.apiVersion ?? '';
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const path = group === '' ? `/api/${version}` : `/apis/${apiVersion}`;
  const list = await client.raw(path).catch((cause: unknown) => {
    throw new CliError(`${object.kind} ${nameOf(object)}: the cluster does not serve ${apiVersion}.`, { cause });
  });
  const found = (list as { resources?: readonly DiscoveredResource[] }).resources?.find(
    ({ kind, name }) => kind === object.kind && !name.includes('/'),
  );
  if (found === undefined) {
    throw new CliError(`${object.kind} ${nameOf(object)}: the cluster serves no such kind in ${apiVersion}.`);
  }
  const resource = { group: group ?? '', version: version ?? '', plural: found.name, kind: found.kind };
  return { ...resource, namespaced: found.namespaced };
};

interface DiscoveredResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

export const isModelServing = ({ kind }: AppliedObject): boolean => kind === 'ModelServing';
