import type { StoredObject } from '../../server-types.ts';
import type { FieldError } from '../field-error.ts';
import type { NameRule } from './names.ts';

/** Reads one selectable field as the text that field selectors compare. */
export type FieldReader = (object: StoredObject) => string;

/** What the rules of a kind may ask about the cluster. */
export interface KindEnvironment {
  readonly nowMs: number;
  /** Every object of a resource (`group/plural`, or `plural` for the core group). */
  list(resource: string): readonly StoredObject[];
  get(resource: string, key: string): StoredObject | undefined;
}

/**
 * What is special about one kind: the strategy of a registry in Kubernetes' words. Every function is pure. A hook that
 * is absent means that nothing is special. The order of a create: defaults, prepareCreate, validate; of an update:
 * defaults, prepareUpdate, validateUpdate.
 */
export interface Strategy {
  readonly nameRule: NameRule;
  /** Fills in omitted fields, on every write and before admission. */
  readonly defaults?: (object: StoredObject, environment: KindEnvironment) => StoredObject;
  readonly prepareCreate?: (object: StoredObject, environment: KindEnvironment) => StoredObject;
  readonly validate?: (object: StoredObject) => readonly FieldError[];
  readonly prepareUpdate?: (next: StoredObject, previous: StoredObject) => StoredObject;
  readonly validateUpdate?: (next: StoredObject, previous: StoredObject) => readonly FieldError[];
  /** Kinds of which the server keeps bytes as they were sent; called before anything else looks at the object. */
  readonly raw?: {
    readonly fromBody: (object: StoredObject, body: string) => StoredObject;
    readonly afterPatch: (object: StoredObject, patch: 'strategic' | 'other') => StoredObject;
  };
  /** What the client is told about a write that succeeds. */
  readonly warnings?: (object: StoredObject) => readonly string[];
  /** Errors of a write to the status subresource. */
  readonly validateStatus?: (next: StoredObject, previous: StoredObject) => readonly FieldError[];
  /** Errors of a write to the subresource `ephemeralcontainers`. */
  readonly validateEphemeral?: (next: StoredObject, previous: StoredObject) => readonly FieldError[];
  /** Which change counts as a new generation: of `spec`, of anything beside metadata and status, or none. */
  readonly generation: 'none' | 'spec' | 'content';
  /** Main writes leave `status` alone, writes to `/status` change nothing else. */
  readonly statusSubresource: boolean;
  /** A create takes the status along, though there is a subresource for it (Nodes). */
  readonly createKeepsStatus?: boolean;
  /** Writes to `/status` may change metadata too, as they may for most built-in kinds. */
  readonly statusWritesMetadata?: boolean;
  /** PUT without resourceVersion overwrites. */
  readonly unconditionalUpdate: boolean;
  /** PUT of what is not there creates it. */
  readonly createOnUpdate: boolean;
  /** DELETE answers the object that is gone, not a Status. */
  readonly answersDeleted: boolean;
  /** Kinds that go gracefully: the seconds a deletion takes, given what was asked for; 0 is at once. */
  readonly gracePeriodOf?: (object: StoredObject, asked: number | undefined) => number;
  /** Kinds that are marked first, and go when someone else has done their part: the object as it is marked. */
  readonly deferDeletion?: (object: StoredObject, nowMs: number) => StoredObject;
  /** Names that cannot be deleted. */
  readonly undeletable?: readonly string[];
  /** Beside `metadata.name` and `metadata.namespace`. */
  readonly fields: Readonly<Record<string, FieldReader>>;
}

/** The rules of a kind about which nothing is special. */
export const plain: Strategy = {
  nameRule: 'subdomain',
  generation: 'none',
  statusSubresource: false,
  unconditionalUpdate: true,
  createOnUpdate: false,
  answersDeleted: false,
  fields: {},
};
