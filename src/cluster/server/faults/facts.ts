import type { ServerRequest } from '../../server-types.ts';
import type { KindRegistry } from '../registry/registry.ts';
import { targetOf } from '../target.ts';
import { isTrue } from '../verbs/write-options.ts';
import type { RequestFacts } from './fault-types.ts';

/** What faults may look at to decide about a request. */
export const factsOf = (kinds: KindRegistry, request: ServerRequest): RequestFacts => {
  const target = targetOf(kinds, request);
  return {
    userName: request.userName,
    method: request.method,
    path: `/${request.segments.join('/')}`,
    isWatch: request.method === 'GET' && isTrue(request, 'watch'),
    group: target?.kind.group,
    resource: target?.kind.plural,
    subresource: target?.subresource,
    namespace: target?.namespace,
    name: target?.name,
  };
};
