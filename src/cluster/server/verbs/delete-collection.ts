import type { ServerAnswer, ServerRequest } from '../../server-types.ts';
import { answerWith } from '../answer.ts';
import type { Core } from '../core.ts';
import type { Target } from '../target.ts';
import { deleteObject } from './delete.ts';
import { deleteOptionsOf } from './delete-options.ts';
import { listOf } from './list.ts';
import { checkListOptions, matcherOf } from './list-options.ts';

/** DELETE of a collection: each selected object as if it were deleted alone. Answers them as they were. */
export const deleteCollection = (core: Core, target: Target, request: ServerRequest): ServerAnswer => {
  checkListOptions(request);
  const matches = matcherOf(target, request);
  const options = deleteOptionsOf(core, request);
  const metadata = { resourceVersion: String(core.store.revision()) };
  const objects = core.store.list(target.kind.storage).filter(matches);
  for (const object of objects) {
    const { name, namespace } = object.metadata;
    deleteObject(core, { target: { ...target, namespace, name }, request, object, options });
  }
  return answerWith(core, request, { kind: target.kind, status: 200, body: listOf(target.kind, metadata, objects) });
};
