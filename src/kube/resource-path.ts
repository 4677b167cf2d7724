import type { KubeObject } from '../objects/index.ts';
import { apiVersionOf, type Resource } from './resource.ts';

interface Place {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * The path of a collection (no name), an object or a subresource, percent-encoded. Without a namespace a namespaced
 * resource means all namespaces.
 */
export const pathOf = (resource: Resource<KubeObject>, place: Place = {}): string => {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${apiVersionOf(resource)}`;
  const namespace = resource.namespaced && place.namespace ? `/namespaces/${encodeURIComponent(place.namespace)}` : '';
  const name = place.name === undefined ? '' : `/${encodeURIComponent(place.name)}`;
  const subresource = place.subresource === undefined ? '' : `/${place.subresource}`;
  return `${root}${namespace}/${resource.plural}${name}${subresource}`;
};

/** `?a=1&b=2` of the values that are set, or the empty string. */
export const queryOf = (parameters: Readonly<Record<string, string | number | boolean | undefined>>): string => {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
};
