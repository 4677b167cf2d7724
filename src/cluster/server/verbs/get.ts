import type { ServerAnswer, ServerRequest, StoredObject } from '../../server-types.ts';
import { answerWith } from '../answer.ts';
import type { Core } from '../core.ts';
import { resourceOf, served } from '../kinds/kind.ts';
import { notFound } from '../status-error.ts';
import { keyIn, type Target } from '../target.ts';
import { revisionAsked } from './revision.ts';

/** GET of one object. */
export const get = (core: Core, target: Target, request: ServerRequest): ServerAnswer => {
  revisionAsked(core, request);
  const object = existing(core, target);
  return answerWith(core, request, { kind: target.kind, status: 200, body: served(target.kind, object) });
};

/** The stored object the path names. Throws 404 where there is none. */
export const existing = (core: Core, target: Target): StoredObject => {
  const name = target.name ?? '';
  const object = core.store.get(target.kind.storage, keyIn(target.namespace, name));
  if (object === undefined) throw notFound(resourceOf(target.kind), name);
  return object;
};
