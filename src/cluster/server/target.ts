import type { ServerRequest } from '../server-types.ts';
import type { Kind } from './kinds/kind.ts';
import type { KindRegistry } from './registry/registry.ts';

/** What a resource path points at. */
export interface Target {
  readonly kind: Kind;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** The resource a path names; undefined for a path that names none the server knows. */
export const targetOf = (registry: KindRegistry, request: ServerRequest): Target | undefined => {
  const [root, ...rest] = request.segments;
  if (root === 'api') return find(registry, '', rest);
  if (root !== 'apis') return undefined;
  const [group, ...path] = rest;
  return group === undefined ? undefined : find(registry, group, path);
};

const find = (registry: KindRegistry, group: string, [version, ...path]: readonly string[]): Target | undefined => {
  if (version === undefined) return undefined;
  const [first, namespace, plural, name, subresource, ...tooMuch] = path;
  if (first === 'namespaces' && namespace !== undefined && plural !== undefined) {
    const kind = registry.find(group, version, plural);
    if (kind?.namespaced === true) return tooMuch.length > 0 ? undefined : { kind, namespace, name, subresource };
  }
  // Cluster-scoped objects, and lists of a namespaced kind over all namespaces.
  const kind = first === undefined ? undefined : registry.find(group, version, first);
  if (kind === undefined || name !== undefined) return undefined;
  if (kind.namespaced) return namespace === undefined ? { kind } : undefined;
  return { kind, name: namespace, subresource: plural };
};

/** `namespace/name`, or `name` for cluster-scoped objects. */
export const keyIn = (namespace: string | undefined, name: string): string =>
  namespace === undefined ? name : `${namespace}/${name}`;
