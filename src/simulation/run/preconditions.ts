import { isPlainObject, member } from '../../objects/index.ts';
import type { TransportRequest } from '../../platform/index.ts';
import type { Finding } from '../invariants/index.ts';
import { pluralOf } from '../link.ts';

/** What a request of the operator lacks. */
export const lacks = (request: TransportRequest): Finding => {
  const plural = pluralOf(request.path);
  if (plural === 'events' || (request.method !== 'DELETE' && request.method !== 'PATCH')) return undefined;
  const body = bodyOf(request);
  if (request.method === 'DELETE') {
    return text(body, 'preconditions', 'uid') ? undefined : `a delete of ${request.path} names no UID`;
  }
  return text(body, 'metadata', 'resourceVersion')
    ? undefined
    : `a patch of ${request.path} carries no resourceVersion`;
};

const bodyOf = ({ body }: TransportRequest): unknown => {
  if (body === undefined) return undefined;
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
};

const text = (body: unknown, outer: string, inner: string): boolean => {
  const part = isPlainObject(body) ? member(body, outer) : undefined;
  const value = isPlainObject(part) ? member(part, inner) : undefined;
  return typeof value === 'string' && value !== '';
};
