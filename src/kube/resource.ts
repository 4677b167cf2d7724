import type { KubeObject } from '../objects/index.ts';

/** What the URL of a kind is made of; `T` is what comes back. */
export interface Resource<T extends KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Carries the type only; never set. */
  readonly type?: T;
}

export const apiVersionOf = (resource: Resource<KubeObject>): string =>
  resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
