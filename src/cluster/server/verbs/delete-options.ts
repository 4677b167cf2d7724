import type { ServerRequest } from '../../server-types.ts';
import { decodeBody, isObject } from '../body.ts';
import type { Core } from '../core.ts';
import { invalidValue, notSupported } from '../field-error.ts';
import { badRequest, invalid } from '../status-error.ts';

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly dryRun: boolean;
}

const policies = ['Foreground', 'Background', 'Orphan'] as const;

/** From the body, or from the query where there is no body. */
export const deleteOptionsOf = (core: Core, request: ServerRequest): DeleteOptions => {
  const body = request.body.length > 0 ? decodeBody(core, request) : fromQuery(request);
  if (!isObject(body)) throw badRequest('DeleteOptions must be an object');
  return parseDeleteOptions(body, request);
};

/** The same from a value that is already decoded. */
export const parseDeleteOptions = (body: Readonly<Record<string, unknown>>, request: ServerRequest): DeleteOptions => {
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions, dryRun } = body;
  const policy = policies.find((one) => one === propagationPolicy);
  const errors = [
    ...(propagationPolicy === undefined || propagationPolicy === null || policy !== undefined
      ? []
      : [notSupported('propagationPolicy', propagationPolicy, [...policies, 'nil'])]),
    ...(propagationPolicy && typeof orphanDependents === 'boolean'
      ? [
          invalidValue(
            'propagationPolicy',
            propagationPolicy,
            'orphanDependents and deletionPropagation cannot be both set',
          ),
        ]
      : []),
  ];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', name: 'DeleteOptions' }, '', errors);
  const { uid, resourceVersion } = isObject(preconditions) ? preconditions : {};
  return {
    gracePeriodSeconds: typeof gracePeriodSeconds === 'number' ? gracePeriodSeconds : undefined,
    propagationPolicy: policy ?? orphaning(orphanDependents),
    uid: typeof uid === 'string' ? uid : undefined,
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : undefined,
    dryRun: request.query.get('dryRun') === 'All' || (Array.isArray(dryRun) && dryRun.includes('All')),
  };
};

// The old way to say the same.
const orphaning = (orphan: unknown): 'Orphan' | 'Background' | undefined => {
  if (typeof orphan !== 'boolean') return undefined;
  return orphan ? 'Orphan' : 'Background';
};

const fromQuery = ({ query }: ServerRequest): unknown => {
  const grace = query.get('gracePeriodSeconds');
  return {
    ...(grace === null ? {} : { gracePeriodSeconds: Number.parseInt(grace, 10) }),
    ...(query.has('propagationPolicy') ? { propagationPolicy: query.get('propagationPolicy') } : {}),
    ...(query.has('orphanDependents') ? { orphanDependents: query.get('orphanDependents') === 'true' } : {}),
  };
};
