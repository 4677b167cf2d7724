import type { AdmissionRequest } from '../../cluster-types.ts';
import type { StoredObject } from '../../server-types.ts';
import type { Core } from '../core.ts';
import { StatusError } from '../status-error.ts';

/** What the admission plugins made of a request. */
export interface Admitted {
  readonly object: StoredObject | undefined;
  readonly warnings: readonly string[];
  /** A refusal is thrown after the schema had its say: a validating webhook is asked last. */
  readonly refusal: StatusError | undefined;
}

/** Asks every plugin in turn; each sees what the one before it made of the object. */
export const admit = (core: Core, request: AdmissionRequest): Admitted => {
  let object = request.object as StoredObject | undefined;
  const warnings: string[] = [];
  for (const plugin of core.admission) {
    const answer = plugin.admit({ ...request, object });
    if (!answer.allowed) return { object, warnings, refusal: denial(plugin.name, answer.code, answer.message) };
    if (answer.object !== undefined) object = answer.object as StoredObject;
    warnings.push(...(answer.warnings ?? []));
  }
  return { object, warnings, refusal: undefined };
};

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  403: 'Forbidden',
  409: 'Conflict',
  422: 'Invalid',
  429: 'TooManyRequests',
};

// As an API server words the denial of a webhook (webhook.ToStatusErr).
const denial = (name: string, code = 403, message: string): StatusError =>
  new StatusError(
    code,
    reasons[code],
    message === ''
      ? `admission webhook "${name}" denied the request without explanation`
      : `admission webhook "${name}" denied the request: ${message}`,
  );
