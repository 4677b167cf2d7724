import {
  type ApiServer,
  type ApiServerOptions,
  createApiServer,
  isStream,
  type ServerStream,
} from '../../src/cluster/server/index.ts';
import type { ServerAnswer, ServerRequest } from '../../src/cluster/server-types.ts';
import { createVirtualPlatform, type VirtualPlatform } from '../../src/simulation/virtual-platform.ts';

/** For tests: requests in one line, answered at once. */
export interface TestClient {
  readonly server: ApiServer;
  readonly platform: VirtualPlatform;
  get(path: string): ServerAnswer;
  post(path: string, body: unknown): ServerAnswer;
  put(path: string, body: unknown): ServerAnswer;
  patch(path: string, type: 'json' | 'merge' | 'strategic', body: unknown): ServerAnswer;
  delete(path: string, body?: unknown): ServerAnswer;
  /** Starts a watch; its lines come into the returned array. */
  watch(path: string): { readonly lines: readonly TestWatchLine[]; readonly ended: () => boolean; stop(): void };
}

export interface TestWatchLine {
  readonly type: string;
  readonly object: { readonly metadata: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>;
}

/** A fresh server at 2026-01-01T00:00:00Z whose time moves only when told to. */
export const testClient = (options: Omit<ApiServerOptions, 'platform'> = {}): TestClient => {
  const platform = createVirtualPlatform();
  const server = createApiServer({ platform, ...options });
  const send = (method: ServerRequest['method'], path: string, body?: unknown, contentType?: string): ServerAnswer => {
    const outcome = server.handle(requestFor(method, path, body, contentType));
    if (isStream(outcome)) throw new Error(`${path} answers a stream`);
    return { ...outcome, body: JSON.parse(JSON.stringify(outcome.body)) };
  };
  const patchTypes = { json: 'json-patch', merge: 'merge-patch', strategic: 'strategic-merge-patch' } as const;
  return {
    server,
    platform,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    patch: (path, type, body) => send('PATCH', path, body, `application/${patchTypes[type]}+json`),
    delete: (path, body) => send('DELETE', path, body),
    watch: (path) => {
      const outcome = server.handle(requestFor('GET', path));
      if (!isStream(outcome)) throw new Error(`${path} answers ${JSON.stringify(outcome.body)}`);
      return collect(outcome);
    },
  };
};

const collect = (stream: ServerStream): ReturnType<TestClient['watch']> => {
  const lines: TestWatchLine[] = [];
  let over = false;
  const stop = stream.open({
    write: (text) => lines.push(JSON.parse(text)),
    end: () => {
      over = true;
    },
  });
  return { lines, ended: () => over, stop };
};

/** The request that a path and a body make. */
export const requestFor = (
  method: ServerRequest['method'],
  path: string,
  body?: unknown,
  contentType = 'application/json',
): ServerRequest => {
  const [plain = '', query = ''] = path.split('?');
  return {
    method,
    segments: plain.split('/').filter(Boolean),
    query: new URLSearchParams(query),
    headers: { 'content-type': contentType },
    body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
    userName: 'tester',
  };
};
