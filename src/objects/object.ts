import type { ObjectMeta, OwnerReference } from './kubernetes.gen.ts';

/** Any Kubernetes object as plain data: read-only, unknown fields kept, dates as strings. */
export interface KubeObject {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata: ObjectMeta;
}

/** JSON as the wire carries it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface ObjectRef {
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** `namespace/name`, or `name` for cluster-scoped objects: the key of caches and queues. */
export const keyOf = (ref: ObjectRef): string => (ref.namespace ? `${ref.namespace}/${ref.name}` : ref.name);

export const refOf = (object: KubeObject): ObjectRef => ({
  namespace: object.metadata.namespace,
  name: nameOf(object),
});

/** The name of a stored object. Throws a TypeError for one that was never stored (it may have a generateName only). */
export const nameOf = (object: KubeObject): string => stored(object, 'name');

/** The UID of a stored object. Throws a TypeError for one that was never stored. */
export const uidOf = (object: KubeObject): string => stored(object, 'uid');

/** The resourceVersion of a stored object. Throws a TypeError for one that was never stored. */
export const resourceVersionOf = (object: KubeObject): string => stored(object, 'resourceVersion');

const stored = (object: KubeObject, field: 'name' | 'uid' | 'resourceVersion'): string => {
  const value = object.metadata[field];
  if (value === undefined) throw new TypeError(`${object.kind ?? 'object'} has no metadata.${field}`);
  return value;
};

/** The owner that controls the object (`controller: true`; Kubernetes allows one). */
export const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find((owner) => owner.controller === true);

export const isTerminating = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined;
