import type { RoleInstanceIdentity } from '../../api/index.ts';

/** What was observed carries its key: it is built once, and asked for many times in every decision. */
export interface Keyed {
  readonly instanceKey: string;
}

/** `3/decode/0`: names a role instance within its ModelServing. */
export const instanceKey = (id: RoleInstanceIdentity & Partial<Keyed>): string =>
  id.instanceKey ?? `${id.group}/${id.role}/${id.instance}`;
