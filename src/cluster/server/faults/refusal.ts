import type { ServerAnswer } from '../../server-types.ts';
import { answerOf } from '../handle.ts';
import { StatusError } from '../status-error.ts';
import type { Fault, RequestFacts } from './fault-types.ts';

const refusals: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  403: ['Forbidden', 'forbidden by a switched-on fault'],
  409: ['Conflict', 'the object has been modified; please apply your changes to the latest version and try again'],
  410: ['Expired', 'too old resource version'],
  429: ['TooManyRequests', 'Too many requests, please try again later.'],
  500: ['InternalError', 'Internal error occurred: a switched-on fault'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: ['Timeout', 'Timeout: request did not complete within the allotted timeout'],
};

/** The answer of a server that refuses on purpose. 429 asks to come back in a second, as priority and fairness does. */
export const refusalOf = (fault: Extract<Fault, { fault: 'answer' }>, facts: RequestFacts): ServerAnswer => {
  const [reason, message] = refusals[fault.status] ?? [undefined, `fault ${fault.status}`];
  const retryAfterSeconds = fault.retryAfterSeconds ?? (fault.status === 429 ? 1 : undefined);
  return answerOf(
    new StatusError(fault.status, reason, fault.message ?? message, {
      name: facts.name,
      group: facts.group,
      kind: facts.resource,
      retryAfterSeconds,
    }),
  );
};
