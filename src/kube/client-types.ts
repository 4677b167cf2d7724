import type { KubeObject, ObjectRef } from '../objects/index.ts';
import type { Cancel } from '../platform/index.ts';
import type { Resource } from './resource.ts';

export interface ListOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
}

export interface List<T extends KubeObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
  readonly continue?: string | undefined;
}

export interface WatchOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly sendInitialEvents?: boolean | undefined;
  readonly allowWatchBookmarks?: boolean | undefined;
  readonly timeoutSeconds?: number | undefined;
}

export type WatchEvent<T extends KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; readonly object: T }
  /** The server's Status, already as an error. The stream ends after it. */
  | { readonly type: 'ERROR'; readonly error: Error };

export interface WatchHandlers<T extends KubeObject> {
  /** The server has accepted the watch. */
  onOpen?(): void;
  onEvent(event: WatchEvent<T>): void;
  /** Called once, unless cancelled. Without an error the server ended the stream cleanly. */
  onEnd(error?: Error): void;
}

/** The content types of Kubernetes' patches. */
export type PatchType = 'strategic' | 'merge' | 'json' | 'apply';

export interface WriteOptions {
  readonly subresource?: 'status' | 'scale' | 'binding' | 'eviction' | undefined;
  readonly fieldManager?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** What the server does with fields it does not know. Absent: its own default, which drops them with a warning. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
  /** For `apply` alone: takes over fields that another manager owns; without it they answer 409. */
  readonly force?: boolean | undefined;
}

export interface DeleteRequest {
  /** 409 where the live object has another UID. */
  readonly uid?: string | undefined;
  /** 409 where the live object has another resourceVersion. */
  readonly resourceVersion?: string | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
}

/**
 * Requests to one API server. Plain objects in and out: unknown fields survive, dates stay strings. Every method
 * rejects with an `ApiError`; none repeats a write, so a caller always knows what it asked for. 429 and 503 with
 * Retry-After are waited for and repeated (the server did nothing then), a bounded number of times.
 */
export interface KubeClient {
  get<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef): Promise<T>;
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<List<T>>;
  create<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>;
  update<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject>(
    resource: Resource<T>,
    ref: ObjectRef,
    patch: { readonly type: PatchType; readonly body: unknown },
    options?: WriteOptions,
  ): Promise<T>;
  /** The object where its deletion is deferred (grace, finalizers); undefined where it is gone at once. */
  delete<T extends KubeObject>(resource: Resource<T>, ref: ObjectRef, request?: DeleteRequest): Promise<T | undefined>;
  watch<T extends KubeObject>(resource: Resource<T>, options: WatchOptions, handlers: WatchHandlers<T>): Cancel;
  /** A GET of any path (`/version`, `/healthz`), as parsed JSON, or as text where it is not JSON. */
  raw(path: string): Promise<unknown>;
}
