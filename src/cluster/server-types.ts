import type { Json, KubeObject } from '../objects/index.ts';

/** An object as the server handles it: mutable JSON, whatever its kind. */
export interface StoredObject extends KubeObject {
  readonly [field: string]: unknown;
}

/** One kind the API server serves: a built-in of the table, or one that a CRD established. */
export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Verbs as discovery shows them; others answer 405. */
  readonly verbs: readonly string[];
  readonly subresources: readonly ServedSubresource[];
  /** Set for kinds a CRD defines: then JSON, merge and apply are its patch types, and PUT needs a resourceVersion. */
  readonly custom?: CustomResource | undefined;
  /** Schema name in the table of built-in schemas, e.g. `io.k8s.api.core.v1.Pod`; absent for custom kinds. */
  readonly schemaName?: string | undefined;
}

export interface ServedSubresource {
  readonly name: string;
  readonly kind: string;
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  readonly verbs: readonly string[];
}

export interface CustomResource {
  /** The structural schema, `openAPIV3Schema` of the version. */
  readonly schema: Json;
  readonly printerColumns: readonly PrinterColumn[];
  readonly statusSubresource: boolean;
  readonly scale?:
    | {
        readonly specReplicasPath: string;
        readonly statusReplicasPath: string;
        readonly labelSelectorPath?: string | undefined;
      }
    | undefined;
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly priority?: number | undefined;
}

/** Which kinds are served right now; CRDs come and go. */
export interface ResourceRegistry {
  all(): readonly ServedResource[];
  find(group: string, version: string, plural: string): ServedResource | undefined;
}

/** A request after authentication, decoded but not yet understood. */
export interface ServerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Decoded path segments, without empty ones: `/api/v1/pods` is `['api', 'v1', 'pods']`. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly userName: string;
}

/** An answer that is complete when given. Streams (watch, logs -f) go their own way. */
export interface ServerAnswer {
  readonly status: number;
  /** Default `application/json`. */
  readonly contentType?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Serialised as JSON unless it is a string. */
  readonly body: unknown;
}
