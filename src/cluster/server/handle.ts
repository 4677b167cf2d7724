import type { ServerAnswer, ServerRequest } from '../server-types.ts';
import type { Core } from './core.ts';
import { pageNotFound, plainPage } from './pages.ts';
import type { ServerOutcome } from './seam.ts';
import { methodNotAllowed, StatusError } from './status-error.ts';
import { handleSubresource } from './subresources/subresource.ts';
import { type Target, targetOf } from './target.ts';
import { create } from './verbs/create.ts';
import { deleteOne } from './verbs/delete.ts';
import { deleteCollection } from './verbs/delete-collection.ts';
import { get } from './verbs/get.ts';
import { list } from './verbs/list.ts';
import { patch } from './verbs/patch.ts';
import { update } from './verbs/update.ts';
import { watch } from './verbs/watch.ts';
import { isTrue } from './verbs/write-options.ts';

/** Answers one request at once; whatever it writes is committed when this returns. Never throws. */
export const handle = (core: Core, request: ServerRequest): ServerOutcome => {
  try {
    for (const page of [...(core.extensions.pages ?? []), plainPage]) {
      const answer = page(core.kinds, request);
      if (answer !== undefined) return answer;
    }
    const target = targetOf(core.kinds, request);
    return target === undefined ? pageNotFound : onTarget(core, target, request);
  } catch (error) {
    return answerOf(error);
  }
};

const onTarget = (core: Core, target: Target, request: ServerRequest): ServerOutcome => {
  if (target.subresource !== undefined) return handleSubresource(core, target, request);
  return target.name === undefined ? onCollection(core, target, request) : onObject(core, target, request);
};

const onCollection = (core: Core, target: Target, request: ServerRequest): ServerOutcome => {
  const everywhere = target.kind.namespaced && target.namespace === undefined;
  switch (request.method) {
    case 'GET':
      return isTrue(request, 'watch') ? watch(core, target, request) : list(core, target, request);
    case 'POST':
      if (everywhere) throw methodNotAllowed();
      return create(core, target, request);
    case 'DELETE':
      if (everywhere || !target.kind.verbs.includes('deletecollection')) throw methodNotAllowed();
      return deleteCollection(core, target, request);
    case 'PUT':
    case 'PATCH':
      // Custom kinds have one handler for everything, and that one misses the name.
      if (target.kind.custom === undefined || everywhere) throw methodNotAllowed();
      return request.method === 'PUT' ? update(core, target, request) : patch(core, target, request);
  }
};

const onObject = (core: Core, target: Target, request: ServerRequest): ServerOutcome => {
  switch (request.method) {
    case 'GET':
      return isTrue(request, 'watch') ? watch(core, target, request) : get(core, target, request);
    case 'PUT':
      return update(core, target, request);
    case 'PATCH':
      return patch(core, target, request);
    case 'DELETE':
      return deleteOne(core, target, request);
    case 'POST':
      throw methodNotAllowed();
  }
};

/** An error as the answer it is. What nobody expected is a 500 that names it. */
export const answerOf = (error: unknown): ServerAnswer => {
  const known = error instanceof StatusError ? error : internalError(error);
  const wait = known.status.details?.retryAfterSeconds;
  return {
    status: known.code,
    body: known.status,
    headers: wait === undefined ? undefined : { 'retry-after': String(wait) },
  };
};

const internalError = (error: unknown): StatusError => {
  const text = error instanceof Error ? error.message : String(error);
  return new StatusError(500, 'InternalError', `Internal error occurred: ${text}`, { causes: [{ message: text }] });
};
