import type { ServerRequest } from '../../server-types.ts';
import type { Core } from '../core.ts';
import { scale } from '../custom/scale.ts';
import { podLog } from '../kubectl/pod-log.ts';
import { pageNotFound } from '../pages.ts';
import type { ServerOutcome } from '../seam.ts';
import { methodNotAllowed, notImplemented } from '../status-error.ts';
import { keyIn, type Target } from '../target.ts';
import { existing, get } from '../verbs/get.ts';
import { patch } from '../verbs/patch.ts';
import { update } from '../verbs/update.ts';
import { bind } from './binding.ts';
import { evict } from './eviction.ts';

/** Requests to `…/NAME/SUBRESOURCE`. */
export const handleSubresource = (core: Core, target: Target, request: ServerRequest): ServerOutcome => {
  const { kind, subresource = '' } = target;
  if (subresource === 'status' && kind.strategy.statusSubresource) return part(core, target, request);
  if (kind.storage === 'pods' && subresource === 'ephemeralcontainers') return part(core, target, request);
  if (kind.storage === 'pods' && subresource === 'binding') return bind(core, target, request);
  if (kind.storage === 'pods' && subresource === 'eviction') return evict(core, target, request);
  if (kind.storage === 'pods' && subresource === 'log') return log(core, target, request);
  if (kind.custom?.scale !== undefined && subresource === 'scale')
    return scale(core, target, request, kind.custom.scale);
  if (unsupported[kind.storage]?.includes(subresource) === true) {
    throw notImplemented(`the subresource ${subresource} of ${kind.plural}`);
  }
  return pageNotFound;
};

/** What a real server has beyond this one. */
const unsupported: Readonly<Record<string, readonly string[]>> = {
  pods: ['attach', 'exec', 'portforward', 'proxy', 'resize'],
  services: ['proxy'],
  nodes: ['proxy'],
  namespaces: ['finalize'],
  serviceaccounts: ['token'],
};

const log = (core: Core, target: Target, request: ServerRequest): ServerOutcome => {
  if (request.method !== 'GET') throw methodNotAllowed();
  existing(core, target);
  const pod = () => core.store.get(target.kind.storage, keyIn(target.namespace, target.name ?? ''));
  return podLog({ platform: core.platform, source: core.logs(), pod, request });
};

/** A subresource that is a part of the object, read and written as the object is. */
const part = (core: Core, target: Target, request: ServerRequest): ServerOutcome => {
  switch (request.method) {
    case 'GET':
      return get(core, target, request);
    case 'PUT':
      return update(core, target, request);
    case 'PATCH':
      return patch(core, target, request);
    case 'POST':
    case 'DELETE':
      throw methodNotAllowed();
  }
};
