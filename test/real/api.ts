// A client of the real API server, on purpose not the one of src/kube: what is tested does not judge itself.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Agent, request } from 'undici';
import { type Bed, inBed, kubeconfigOf } from '../../tools/control-plane/bed.ts';

export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly uid?: string;
    readonly generation?: number;
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: T;
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string | undefined;
}

export interface Api {
  /** Any request, any answer. */
  readonly send: (request: ApiRequest) => Promise<{ readonly status: number; readonly body: unknown }>;
  /** Like the others below it throws where the answer is no success. */
  readonly get: <T>(path: string) => Promise<T>;
  readonly create: <T>(path: string, object: unknown) => Promise<T>;
  readonly patch: <T>(path: string, patch: unknown, type?: 'merge' | 'strategic-merge' | 'json') => Promise<T>;
  readonly remove: (path: string) => Promise<void>;
  /** Calls `onEvent` for every object there is and every change, until `stop`; `done` rejects where the watch breaks. */
  readonly watch: <T>(
    path: string,
    onEvent: (event: WatchEvent<T>) => void,
  ) => { stop: () => void; done: Promise<void> };
  readonly close: () => Promise<void>;
}

export const pods = '/api/v1/namespaces/default/pods';
export const events = '/api/v1/namespaces/default/events';
export const modelServings = '/apis/workload.serving.volcano.sh/v1alpha1/namespaces/default/modelservings';
export const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export const openApi = (bed: Bed): Api => {
  const config = JSON.parse(readFileSync(kubeconfigOf(bed, 'admin'), 'utf8')) as {
    users: { user: { token: string } }[];
  };
  const agent = new Agent({ connect: { ca: readFileSync(inBed(bed, 'ca.crt'), 'utf8') }, bodyTimeout: 0 });
  const origin = `https://127.0.0.1:${bed.ports.api}`;
  const authorization = `Bearer ${config.users[0]?.user.token ?? ''}`;

  const send: Api['send'] = async ({ method, path, body, contentType = 'application/json' }) => {
    const response = await request(origin + path, {
      method,
      dispatcher: agent,
      headers: { authorization, 'content-type': contentType },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    return { status: response.statusCode, body: JSON.parse(text) as unknown };
  };
  const call = async <T>(
    method: ApiRequest['method'],
    path: string,
    body?: unknown,
    contentType?: string,
  ): Promise<T> => {
    const answer = await send({ method, path, body, contentType });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  };

  const watch: Api['watch'] = (path, onEvent) => {
    const abort = new AbortController();
    const follow = async (): Promise<void> => {
      const { body } = await request(`${origin}${path}?watch=true`, {
        dispatcher: agent,
        headers: { authorization },
        signal: abort.signal,
      });
      for await (const line of createInterface({ input: body })) onEvent(JSON.parse(line));
    };
    const done = follow().catch((error: unknown) => {
      if (!abort.signal.aborted) throw error;
    });
    return { stop: () => abort.abort(), done };
  };

  return {
    send,
    get: (path) => call('GET', path),
    create: (path, object) => call('POST', path, object),
    patch: (path, patch, type = 'merge') => call('PATCH', path, patch, `application/${type}-patch+json`),
    remove: async (path) => {
      await call('DELETE', path);
    },
    watch,
    close: () => agent.close(),
  };
};
