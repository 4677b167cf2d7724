import type { ServerRequest } from '../../server-types.ts';
import { invalidValue, notSupported } from '../field-error.ts';
import { badRequest, invalid } from '../status-error.ts';

/** The query of a write. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
}

const fieldValidations = ['Ignore', 'Warn', 'Strict'] as const;

/** @param options the kind whose validation refuses a bad value: `CreateOptions`, `UpdateOptions`, `PatchOptions` */
export const writeOptionsOf = (request: ServerRequest, options: string): WriteOptions => {
  const dryRun = request.query.getAll('dryRun').filter((value) => value !== '');
  const asked = request.query.get('fieldValidation') ?? '';
  const fieldValidation = asked === '' ? 'Warn' : fieldValidations.find((value) => value === asked);
  const errors = [
    ...(dryRun.every((value) => value === 'All') ? [] : [notSupported('dryRun', dryRun[0], ['All'])]),
    ...(fieldValidation === undefined
      ? [invalidValue('fieldValidation', asked, 'must be one of Ignore, Warn, Strict')]
      : []),
  ];
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', name: options }, '', errors);
  return { dryRun: dryRun.length > 0, fieldValidation: fieldValidation ?? 'Warn' };
};

/** Whole numbers in a query, such as `limit` and `timeoutSeconds`; undefined where absent. */
export const wholeNumber = (request: ServerRequest, name: string): number | undefined => {
  const text = request.query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^[-+]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  return Number.parseInt(text, 10);
};

export const isTrue = (request: ServerRequest, name: string): boolean => {
  const text = request.query.get(name);
  return text !== null && text !== '0' && text.toLowerCase() !== 'false';
};
