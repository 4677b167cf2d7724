import type { ServerRequest } from '../server-types.ts';
import type { ServerOutcome } from './seam.ts';

/** Creates the namespaces that every cluster has. */
export const seedNamespaces = (serve: (request: ServerRequest) => ServerOutcome): void => {
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    serve({
      method: 'POST',
      segments: ['api', 'v1', 'namespaces'],
      query: new URLSearchParams(),
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify({ metadata: { name } })),
      userName: 'system:apiserver',
    });
  }
};
