import type { ServedResource } from '../../../server-types.ts';
import { groupVersionText } from '../discovery/group-versions.ts';
import { componentName, refTo } from './component-names.ts';

type Operation = Readonly<Record<string, unknown>>;

/** kubectl validates on the server only where the operations of a kind list this parameter. */
const writeParameters = ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({
  name,
  in: 'query',
  schema: { type: 'string', uniqueItems: true },
}));

const patchTypes = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];

/** Whether kubectl may send a strategic merge patch: custom kinds have no merge keys. */
const patchTypesOf = (resource: ServedResource): readonly string[] =>
  resource.custom === undefined ? [...patchTypes, 'application/strategic-merge-patch+json'] : patchTypes;

/** The paths of a kind, with what clients look up in them: its name, its patch types, its parameters. */
export const pathsOf = (resource: ServedResource): Readonly<Record<string, unknown>> => {
  const { group, version, plural, namespaced } = resource;
  const root = `${group === '' ? '/api' : '/apis'}/${groupVersionText(group, version)}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const operations = operationsOf(resource);
  const pick = (...methods: readonly (keyof typeof operations)[]): Operation =>
    Object.fromEntries(methods.map((method) => [method, operations[method]]));
  return {
    [collection]: { get: operations.list, ...pick('post') },
    [`${collection}/{name}`]: pick('get', 'put', 'patch', 'delete'),
    ...(namespaced ? { [`${root}/${plural}`]: { get: operations.list } } : {}),
  };
};

const operationsOf = (resource: ServedResource) => {
  const { group, version, kind } = resource;
  const schema = { schema: refTo(componentName(resource)) };
  const json = { content: { 'application/json': schema } };
  const answers = { responses: { '200': { description: 'OK', ...json } } };
  const operation = (action: string, more: Operation): Operation => ({
    ...more,
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  });
  const patches = Object.fromEntries(patchTypesOf(resource).map((type) => [type, { schema: { type: 'object' } }]));
  return {
    list: operation('list', { responses: { '200': { description: 'OK' } } }),
    get: operation('get', answers),
    post: operation('post', { parameters: writeParameters, requestBody: json, ...answers }),
    put: operation('put', { parameters: writeParameters, requestBody: json, ...answers }),
    patch: operation('patch', { parameters: writeParameters, requestBody: { content: patches }, ...answers }),
    delete: operation('delete', { responses: { '200': { description: 'OK' } } }),
  };
};
