import { type KubeObject, nameOf, type ObjectRef, stringifyAsGo } from '../objects/index.ts';
import { type Platform, sleep, type Transport, type TransportRequest } from '../platform/index.ts';
import type { DeleteRequest, KubeClient, List, ListOptions, PatchType, WriteOptions } from './client-types.ts';
import { ApiError } from './errors.ts';
import { type Answer, errorOf, exchange } from './exchange.ts';
import { openWatch } from './open-watch.ts';
import { apiVersionOf, type Resource } from './resource.ts';
import { pathOf, queryOf } from './resource-path.ts';
import { isStatus } from './status.ts';

export interface ClientOptions {
  readonly transport: Transport;
  readonly platform: Pick<Platform, 'timers'>;
  /** Sent as `User-Agent`; shows in audit logs and in `managedFields` where no field manager is named. */
  readonly userAgent?: string | undefined;
  /** The field manager of every write that names none. */
  readonly fieldManager?: string | undefined;
  /** How long one attempt may take, milliseconds. Default 30,000. */
  readonly requestTimeoutMs?: number | undefined;
  /** How often a request is repeated after 429 or 503 with Retry-After. Default 5. */
  readonly throttleRetries?: number | undefined;
}

/** The server sends 1 s; whatever a proxy asks for, one wait is never longer than this. */
const longestThrottleWaitMs = 30_000;

const contentTypes: Readonly<Record<PatchType, string>> = {
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
};

interface Call {
  readonly method: TransportRequest['method'];
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** A client over one transport. See `KubeClient` for what its methods promise. */
export const createClient = (options: ClientOptions): KubeClient => {
  const { transport, platform } = options;
  const timeoutMs = options.requestTimeoutMs ?? 30_000;
  const throttleRetries = options.throttleRetries ?? 5;
  const userAgent = options.userAgent ?? 'modelserving';
  // No accept-encoding: the server would compress large lists, and time to unpack is what we have least of.
  const headers = { accept: 'application/json', 'user-agent': userAgent };

  // Go's way of writing, for every body: a ControllerRevision's data is compared byte by byte with what Go makes of it.
  const requestOf = (call: Call): TransportRequest => {
    const base = { method: call.method, path: call.path, purpose: 'request' } as const;
    if (call.body === undefined) return { ...base, headers };
    const contentType = call.contentType ?? 'application/json';
    return { ...base, headers: { ...headers, 'content-type': contentType }, body: stringifyAsGo(call.body) };
  };

  const send = async (call: Call): Promise<Answer> => {
    const request = requestOf(call);
    for (let attempt = 0; ; attempt++) {
      const answer = await exchange({ transport, platform, timeoutMs }, request);
      const error = errorOf(answer);
      if (error === undefined) return answer;
      // Only where the server says that it did nothing and when to come back; every other failure is the caller's.
      const throttled = answer.head.status === 429 || answer.head.status === 503;
      if (!throttled || error.retryAfterMs === undefined || attempt >= throttleRetries) throw error;
      await sleep(platform, Math.min(error.retryAfterMs, longestThrottleWaitMs));
    }
  };

  const call = async <T>(what: Call): Promise<T> => parse(await send(what)) as T;

  const writeQuery = (write: WriteOptions | undefined, extra: Record<string, boolean> = {}): string =>
    queryOf({
      fieldManager: write?.fieldManager ?? options.fieldManager,
      dryRun: write?.dryRun ? 'All' : undefined,
      fieldValidation: write?.fieldValidation,
      ...extra,
    });

  return {
    get: async (resource, ref) => {
      requireNamespace(resource, ref.namespace);
      return call({ method: 'GET', path: pathOf(resource, ref) });
    },

    list: async <T extends KubeObject>(resource: Resource<T>, list: ListOptions = {}): Promise<List<T>> => {
      const { namespace, ...parameters } = list;
      const path = pathOf(resource, { namespace }) + queryOf({ ...parameters });
      return toList(resource, await call<WireList<T>>({ method: 'GET', path }));
    },

    create: async (resource, object, write) => {
      // A subresource (binding, eviction) is created on an object that exists; everything else in the collection.
      const { namespace } = object.metadata;
      const place = write?.subresource
        ? { ...placeOf(resource, object), subresource: write.subresource }
        : { namespace };
      requireNamespace(resource, namespace);
      return call({ method: 'POST', path: pathOf(resource, place) + writeQuery(write), body: object });
    },

    update: async (resource, object, write) => {
      const place = { ...placeOf(resource, object), subresource: write?.subresource };
      return call({ method: 'PUT', path: pathOf(resource, place) + writeQuery(write), body: object });
    },

    patch: async (resource, ref, patch, write) => {
      requireNamespace(resource, ref.namespace);
      const path = pathOf(resource, { ...ref, subresource: write?.subresource });
      const query = writeQuery(write, write?.force === true ? { force: true } : {});
      return call({ method: 'PATCH', path: path + query, body: patch.body, contentType: contentTypes[patch.type] });
    },

    delete: async <T extends KubeObject>(resource: Resource<T>, ref: ObjectRef, request: DeleteRequest = {}) => {
      requireNamespace(resource, ref.namespace);
      const answer = await call<T>({ method: 'DELETE', path: pathOf(resource, ref), body: deleteOptions(request) });
      return isStillThere(answer) ? answer : undefined;
    },

    watch: (resource, watch, handlers) => {
      const { namespace, ...parameters } = watch;
      const match = watch.sendInitialEvents === undefined ? undefined : 'NotOlderThan';
      const query = queryOf({ watch: true, ...parameters, resourceVersionMatch: match });
      const path = pathOf(resource, { namespace }) + query;
      return openWatch({ transport, platform, path, headers, timeoutMs }, handlers);
    },

    raw: async (path) => {
      const { body } = await send({ method: 'GET', path });
      try {
        return JSON.parse(body);
      } catch {
        return body;
      }
    },
  };
};

interface WireList<T extends KubeObject> {
  readonly items?: readonly T[] | null;
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
}

const toList = <T extends KubeObject>(resource: Resource<T>, wire: WireList<T>): List<T> => ({
  // Items of a typed list come without apiVersion and kind; a watch sends both. Objects look the same either way.
  items: (wire.items ?? []).map((item) => ({ apiVersion: apiVersionOf(resource), kind: resource.kind, ...item })),
  resourceVersion: wire.metadata?.resourceVersion ?? '',
  continue: wire.metadata?.continue || undefined,
});

const parse = (answer: Answer): unknown => {
  try {
    return JSON.parse(answer.body);
  } catch (cause) {
    const status = answer.head.status;
    throw new ApiError({ code: 'malformed', status, message: 'the answer of the API server is not JSON', cause });
  }
};

const placeOf = (resource: Resource<KubeObject>, object: KubeObject): ObjectRef => {
  requireNamespace(resource, object.metadata.namespace);
  try {
    return { namespace: object.metadata.namespace, name: nameOf(object) };
  } catch (cause) {
    throw new ApiError({
      code: 'bad-request',
      message: `a ${resource.kind} without a name cannot be addressed`,
      cause,
    });
  }
};

const requireNamespace = (resource: Resource<KubeObject>, namespace: string | undefined): void => {
  if (!resource.namespaced || namespace) return;
  throw new ApiError({ code: 'bad-request', message: `a ${resource.kind} lives in a namespace, and none is given` });
};

const deleteOptions = (request: DeleteRequest): unknown => {
  const { uid, resourceVersion, ...rest } = request;
  const preconditions = uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion };
  return { apiVersion: 'v1', kind: 'DeleteOptions', ...rest, preconditions };
};

/**
 * Whether a deleted object still exists. The answer is a Status for most kinds; for Pods and Services the server sends
 * the object even when it is gone at once, and then its grace period is 0 and no finalizer holds it.
 */
const isStillThere = (answer: KubeObject): boolean => {
  if (isStatus(answer) || answer.metadata.deletionTimestamp === undefined) return false;
  const { finalizers, deletionGracePeriodSeconds } = answer.metadata;
  return (finalizers?.length ?? 0) > 0 || (deletionGracePeriodSeconds ?? 0) > 0;
};
