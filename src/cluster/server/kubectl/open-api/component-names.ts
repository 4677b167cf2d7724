import type { ServedResource } from '../../../server-types.ts';

/** `io.k8s.api.core.v1.Pod` for a built-in kind, `example.demo.v1.Widget` for Widget of `demo.example/v1`. */
export const componentName = (resource: ServedResource): string =>
  resource.schemaName ?? [...resource.group.split('.').reverse(), resource.version, resource.kind].join('.');

const prefix = '#/components/schemas/';

export const refTo = (name: string): { readonly $ref: string } => ({ $ref: `${prefix}${name}` });

export const nameOfRef = (ref: string): string => ref.slice(prefix.length);
